"""Route handlers for matches, which parse requests, call `MatchActions` and build responses."""
