"""Half wins, in which what a match is worth is counted as whole numbers: 2 for a win, 1 each for a drawn match."""


def show_half_wins(count: int) -> str:
    """Write half wins as the wins that they are: 5 is 2½."""
    whole, half = divmod(count, 2)
    return f"{whole or ''}½" if half else str(whole)
