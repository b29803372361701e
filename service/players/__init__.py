"""Players, their devices, device links, recovery codes and vacations."""
