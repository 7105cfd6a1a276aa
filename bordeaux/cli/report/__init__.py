"""Text output of commands: layout, tables, progress, files, errors, and the reports made of results."""
