"""Conversion of timelines to API answers, redacted and translated for one viewer.

The service uses this code to answer its clients, and so does the offline server in the page, so
screens see no difference. A `Viewer` carries the caller, the seat, the
language and the format of instants. Ships to the browser.

- `schemas`: the structs of the answers; `viewpoint`: the viewer and the names of seats;
- `matches`: a match, its seats and undo; `events`: events after a version; `choices`: legal
  commands of a seat; `reviews`: the review of a match.
"""
