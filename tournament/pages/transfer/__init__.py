"""The pages for whole events as files: the file of an event, and the check of any file."""
