"""An event as a file that any program can write: its form, its reader and what is checked without a database."""
