"""The order of a stage's entrants: standings, tie-breaks and who qualifies. Pure."""
