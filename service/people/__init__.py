"""What is a person's own: what they have seen, their notes, whom they know, their calendar."""
