"""How fixtures become what the plan of their format says, and how standings follow from their results."""
