"""Caravanserai by Pierrot, a game of stalls, gates and orders."""
