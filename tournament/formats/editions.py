"""Editions of the rules by which stages are drawn: a stage keeps the one it was drawn by, so that nobody moves later.

In the first edition the last losers to enter a consolation had its byes, an empty length of a last chance or a second
consolation meant that of the main bracket, a consolation for the losers of one round was always for those who lose
their first match, those who came from groups were seeded by their results there, and a Swiss with lives could
end with somebody who had only had a bye.
"""

FIRST, EDITION = 1, 2
"""The first edition, and the one by which stages are drawn now."""
