"""Notifications: messages about a match to players who are not looking at it.

- `triggers`: the notifications of one commit, a pure function of the match before and after it;
- `outbox_sql`: the rows of the outbox, written in the transaction of the move itself;
- `outbox`: the outbox, from which senders claim rows;
- `channels`: the channels and notification preferences of players;
- `safe_http`: the HTTP client for addresses that users supply;
- `push`, `webhooks`: the kinds of channels that need nothing but a message;
- `delivery`: the parts that also read matches and draw pictures: mails, the texts of messages, and
  the sender, which takes rows from the outbox, checks whether they still apply, and sends them.
"""
