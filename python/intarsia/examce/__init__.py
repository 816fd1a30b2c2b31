"""EXAMCE: many clusterings recombined by exact covering."""
