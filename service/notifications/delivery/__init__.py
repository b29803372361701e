"""Delivery of notifications: emails, message texts and the sender."""
