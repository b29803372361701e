"""Access to SQLite and PostgreSQL, and schema migrations."""
