"""Responses other than JSON: pictures, animations, QR codes and the pages of the frontend."""
