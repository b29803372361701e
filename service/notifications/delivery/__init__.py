"""Delivery of notifications, which reads matches and draws pictures."""
