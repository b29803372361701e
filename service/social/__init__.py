"""Personal data of players: read positions, notes, contacts, results, calendars and feeds."""
