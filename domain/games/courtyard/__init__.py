"""Caravanserai by Pierrot, a trading game in a courtyard of stalls, gates and orders."""
