"""Contacts, results, calendars and feeds of players, from the read models of matches."""
