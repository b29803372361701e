"""The calls about what is a person's own."""
