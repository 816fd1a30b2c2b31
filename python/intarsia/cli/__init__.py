"""The `intarsia` command: one module per subcommand, listed in `command.COMMANDS`."""
