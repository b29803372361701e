"""Sending of notifications, for which matches are read and pictures drawn."""
