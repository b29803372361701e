"""Turn notices: who is told what happened while they were away, and by which way.

- `told`: what one commit is to tell whom, a pure function of the match before and after it;
- `tables`: the rows of the outbox, written in the transaction of the move itself;
- `ways`: the ways by which people are reached, and what they want to hear;
- `sender`: takes rows from the outbox, asks whether they still hold, and sends them;
- `outside`: the one client for addresses that strangers give; `push`, `mail`, `hooks`: the ways.
"""
