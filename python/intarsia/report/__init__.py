"""What is shown to people: tables, facts, pictures, progress. It knows no command line."""
