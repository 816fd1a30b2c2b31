"""Base clusterers against their peers."""
