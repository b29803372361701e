"""Notifications: messages about a match to players who are not looking at it.

- `triggers`: the notifications caused by one commit, computed from the match before and after it;
- `outbox_sql`: the outbox table, written in the same transaction as the move;
- `outbox`: the outbox, from which senders claim rows;
- `channels`: the players' channels and notification preferences;
- `safe_http`: the HTTP client for addresses supplied by users;
- `push`, `webhooks`: the kinds of channels that need only a message, not the match;
- `delivery`: the parts that also read matches and draw pictures: emails, message texts, and the
  sender, which claims outbox rows, checks whether they still apply, and sends them.
"""
