"""Players' personal data: read positions, notes, contacts, results, calendars and feeds."""
