"""Drawings as plain elements, and their serialisation as SVG."""
