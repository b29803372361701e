"""Conversion of timelines to API responses, redacted and translated for one viewer.

The service and the offline server in the page both use this code, so the screens see no difference.
A `Viewer` holds the caller, the seat, the language and the format of instants. Ships to the
browser.

- `schemas`: the structs of the responses; `viewpoint`: the viewer and the names of seats;
- `matches`: a match, its seats and undo; `events`: events after a version; `choices`: legal
  commands of a seat; `reviews`: the review of a match.
"""
