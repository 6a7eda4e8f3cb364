"""The backups of the installation, for its operator."""
