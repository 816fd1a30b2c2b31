"""Tasks on the ranks of an MPI job; nothing here is imported without a launcher."""
