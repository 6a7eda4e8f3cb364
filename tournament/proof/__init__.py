"""A draw as a file that a stranger can check: pure, so that it needs neither this server nor any database."""
