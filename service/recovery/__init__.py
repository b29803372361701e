"""Seat recovery: moving a seat from a lost device to a new one, by PIN or by consent."""
