"""Text in any language: translation, character rules and error messages."""
