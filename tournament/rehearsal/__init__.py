"""Events played out on paper, whole or from where they stand, and the invariants that every plan keeps. Pure."""
