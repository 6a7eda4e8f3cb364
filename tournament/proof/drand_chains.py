"""The chains of drand, the public randomness beacon of the League of Entropy, and the times of their rounds.

Source: drand documentation, "Cryptography". Round 1 is at the genesis time, and each period has one round more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True, slots=True)
class DrandChain:
    """A chain of rounds: its hash names it, ``genesis`` is in seconds since 1970 and ``period`` in seconds."""

    slug: str
    hash: str
    genesis: int
    period: int

    def time_of(self, round: int) -> datetime:
        """Return the moment at which the round becomes known."""
        return datetime.fromtimestamp(self.seconds_of(round), UTC)

    def seconds_of(self, round: int) -> int:
        """Return that moment in seconds since 1970."""
        return self.genesis + (round - 1) * self.period

    def round_after(self, moment: datetime) -> int:
        """Return the first round that becomes known at this moment or later."""
        since = moment - datetime.fromtimestamp(self.genesis, UTC)
        return max(-(-since // timedelta(seconds=self.period)) + 1, 1)

    def path_of(self, round: int) -> str:
        return f"/{self.hash}/public/{round}"


QUICKNET = DrandChain(
    "quicknet", "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", genesis=1692803367, period=3
)
DEFAULT = DrandChain(
    "default", "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce", genesis=1595431050, period=30
)
CHAINS: Mapping[str, DrandChain] = {chain.slug: chain for chain in (QUICKNET, DEFAULT)}
