"""Live updates of matches by server-sent events."""
