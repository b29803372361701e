"""Route handlers about matches: parse the request, call `MatchActions`, build the answer."""
