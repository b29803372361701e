"""Who plays: players, their devices, how they come back."""
