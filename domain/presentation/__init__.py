"""Conversion of timelines to API answers, redacted and translated for one viewer.

The service answers its clients with this code, and a phone that plays without the service answers
its own pages with it, so screens see no difference. A `Viewer` carries the caller, the seat, the
language and the format of instants. Ships to the browser.

- `shapes`: the structs of the answers; `viewing`: the viewer and the names of seats;
- `matches`: a match, its seats and undo; `events`: events after a version; `choices`: legal
  commands of a seat; `reviews`: the review of a match.
"""
