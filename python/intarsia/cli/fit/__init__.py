"""`intarsia fit`."""
