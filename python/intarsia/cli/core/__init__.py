"""What every command shares: the entry point, the parser, signals, ranks, exit codes."""
