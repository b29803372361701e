"""Notifications: messages about a match to players who are not looking at it.

- `told`: the notifications of one commit, a pure function of the match before and after it;
- `tables`: the rows of the outbox, written in the transaction of the move itself;
- `ways`: the channels and notification preferences of players;
- `outside`: the HTTP client for addresses that users supply;
- `push`, `hooks`: the kinds of channels that need nothing but a message;
- `delivery`: what also reads matches and draws pictures: mails, the texts of messages, and the
  sender, which takes rows from the outbox, checks whether they still apply, and sends them.
"""
