"""`intarsia boost` and `intarsia bag`: clusterings made of rounds."""
