"""The kernel: everything about a match that does not depend on the game.

The kernel imports no game; a game's rules are passed in. The whole package ships to the browser,
so that a phone folds, undoes and predicts with the same code as the service.

- `seats`, `commands`, `events`: the kernel's value types; `messages`: their English texts.
- `moment`: the match after one decision. `history`: all decisions and moments, the fold, and
  which decisions still count. `append_only`: the list behind a history.
- `timeline`: redaction and the execution of commands. `seating`, `undo`, `clocks`, `votes`,
  `recovery`: handlers of the kernel's commands; `recovery` moves a seat to another device of its
  player. `clock_changes`, `clock_undo`: the seat clocks after each decision. `losses`: seats lost
  on time or by a vote. `secrecy`: what stays secret after the end.
"""
