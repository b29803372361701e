"""Notifications: messages about a match to players who are not looking at it.

- `told`: the notifications of one commit, a pure function of the match before and after it;
- `tables`: the rows of the outbox, written in the transaction of the move itself;
- `ways`: the channels and notification preferences of players;
- `sender`: takes rows from the outbox, checks whether they still apply, and sends them;
- `outside`: the HTTP client for addresses that users supply;
- `push`, `mail`, `hooks`: the kinds of channels.
"""
