"""The screen of every game that brings none of its own."""
