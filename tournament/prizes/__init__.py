"""Money in whole numbers of the smallest unit: amounts, prize pools, payout tables, side pools, calcuttas. Pure."""

from tournament.prizes.amounts import CURRENCIES, MAX_AMOUNT, Currency, Money, as_decimal, find_currency, parse_amount
from tournament.prizes.calcutta import POT_RAKES, AuctionLot, Pot, auction_pot, check_pot_rake, rank_lots
from tournament.prizes.errors import MoneyError
from tournament.prizes.places import Rank, rank_among, settle_ranks, share_prizes
from tournament.prizes.plan import EACH_GROUP, PayoutPlan, Share
from tournament.prizes.pool import RAKES, Pool, PoolTerms, prize_pool
from tournament.prizes.rounding import ROUNDINGS, apportion
from tournament.prizes.tables import TABLES, TEMPLATES, PrizeTable

__all__ = [
    "CURRENCIES",
    "EACH_GROUP",
    "MAX_AMOUNT",
    "POT_RAKES",
    "RAKES",
    "ROUNDINGS",
    "TABLES",
    "TEMPLATES",
    "AuctionLot",
    "Currency",
    "Money",
    "MoneyError",
    "PayoutPlan",
    "Pool",
    "PoolTerms",
    "Pot",
    "PrizeTable",
    "Rank",
    "Share",
    "apportion",
    "as_decimal",
    "auction_pot",
    "check_pot_rake",
    "find_currency",
    "parse_amount",
    "prize_pool",
    "rank_among",
    "rank_lots",
    "settle_ranks",
    "share_prizes",
]
