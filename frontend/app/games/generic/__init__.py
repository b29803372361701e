"""The screen of games that have none of their own."""
