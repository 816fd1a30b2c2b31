"""`intarsia combine`."""
