"""Route handlers for matches, which parse requests, call the actions and build responses."""
