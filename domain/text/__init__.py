"""Text handling: translation, character rules and validation messages."""
