"""Route handlers about matches: parse the request, call `Play`, shape the answer."""
