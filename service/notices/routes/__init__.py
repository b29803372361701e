"""The calls about notices."""
