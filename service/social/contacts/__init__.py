"""Players' contacts, results, calendars and feeds, which are derived from matches."""
