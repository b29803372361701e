"""What a game may offer, and the helpers that games share."""
