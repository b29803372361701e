"""The HTTP calls: read the request, ask `Play`, shape the answer."""
