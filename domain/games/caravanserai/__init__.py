"""Caravanserai, a game on a hexagonal board."""
