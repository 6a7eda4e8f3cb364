"""A digest of what somebody was asked about, so that their answer confirms exactly that."""

import json
from hashlib import sha256


def digest_of(*facts: object) -> str:
    """Return a short digest of facts that JSON can hold; it is the same only for the same facts."""
    return sha256(json.dumps(facts, separators=(",", ":"), sort_keys=True).encode()).hexdigest()[:32]
