"""All data of the installation as one file, written while people play, and read back into an empty database."""
