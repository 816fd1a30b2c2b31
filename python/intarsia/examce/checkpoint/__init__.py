"""What a killed run leaves behind, and how the next one goes on from there."""
