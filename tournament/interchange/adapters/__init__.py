"""Files of other programs, each read into an event file of the profile ``results``."""
