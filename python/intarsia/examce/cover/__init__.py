"""The cover stage: the cheapest columns of a pool that together hold every point."""
