"""`intarsia study`."""
