"""The order of a stage's entrants: standings, tie-breaks and qualifiers. Pure."""
