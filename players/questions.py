"""Questions that are asked before anything is stored: a yes counts only for the question that was asked."""

from hashlib import sha256


def digest_of(*asked: object) -> str:
    """Return a short text that is the same for the same question.

    ``asked`` are plain values, or dataclasses of them, that read the same in every process and language.
    """
    return sha256(repr(asked).encode()).hexdigest()[:20]
