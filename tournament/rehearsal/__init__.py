"""Events played on paper: whole ones, the rest of one, and the invariants that every plan keeps. Pure."""
