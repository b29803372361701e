"""The tables: what is open, how it stands, what is played."""
