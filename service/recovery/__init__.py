"""Letting somebody back in whose device is lost: by the seat's PIN, or by the others."""
