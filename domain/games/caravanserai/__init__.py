"""Caravanserai, a game about growing caravans on a hexagonal board."""
