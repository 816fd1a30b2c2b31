"""Quality at equal time, and time as the data grow."""
