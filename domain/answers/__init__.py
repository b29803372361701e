"""From timelines to what somebody may see of them, in words. Nothing hidden passes here.

The service answers its callers with this, and a phone that plays without it answers its own pages:
one code, so that no screen sees a difference. Who is asking, in which language, and what a moment
is called come in with the `Viewer`. Ships to the browser.

- `shapes`: what is told; `viewing`: who looks, what seats are called;
- `matches`: a match, its seats and take-backs; `events`: what happened; `choices`: what a seat may
  do; `reviews`: how it came about.
"""
