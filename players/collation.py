"""The order in which readers of a language look for names: where its alphabet has Å, Ø, Æ, Ä and Ö.

Danes and Norwegians end their alphabet with æ, ø, å, and look for Aagaard under å; Swedes with å, ä, ö. Germans look
for ä under a (DIN 5007-1), and the English for any letter with a mark under the plain one: there the folded name is the
key. A key is text in which plain letters, digits and single spaces are compared one by one, so that databases and
Python agree, whatever the collation of the database.
"""

import unicodedata

PLAIN = "plain"
DANISH = "danish"
SWEDISH = "swedish"
ALPHABETS = {"da": DANISH, "nb": DANISH, "sv": SWEDISH}
"""The alphabet of each language that has letters after z."""
AFTER_Z = "zzz"
"""The beginning of each letter after z; no name has it."""
LAST = {
    DANISH: {"æ": 1, "ä": 1, "ø": 2, "ö": 2, "ő": 2, "å": 3, "aa": 3},
    SWEDISH: {"å": 1, "ä": 2, "æ": 2, "ö": 3, "ø": 3, "ő": 3},
}
ALSO = {"ü": "y", "ű": "y"}
"""Letters that Scandinavians look for under another one than the plain one."""
SINGLE = {"ø": "o", "æ": "ae", "ß": "ss", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "œ": "oe", "ς": "σ", "\u0345": "ι"}
"""The small letters that Unicode takes apart into nothing plainer."""
TABLE = str.maketrans(SINGLE)


def fold(name: str) -> str:
    """Return the name in small plain letters, without accents, with single spaces."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(TABLE)
    letters = (char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))
    return " ".join("".join(letters).split())


def alphabet_of(language: str | None) -> str:
    """Return the alphabet by which readers of the language, such as ``nb`` or ``de-at``, look for names."""
    return ALPHABETS.get((language or "").partition("-")[0], PLAIN)


def sort_key(name: str, alphabet: str) -> str:
    """Return a text by which names sort in the alphabet; equal for names that differ only in case and other accents."""
    if alphabet == PLAIN:
        return fold(name)
    text = unicodedata.normalize("NFC", name).casefold()
    for letter, place in LAST[alphabet].items():
        text = text.replace(letter, f"{AFTER_Z}{place}")
    for letter, plain in ALSO.items():
        text = text.replace(letter, plain)
    return fold(text)


COLLAPSED = {"aa": "a", "oe": "o", "ae": "a", "ue": "u"}
"""What å, ø, æ and ü are where the keyboard has none of them, and their plain letters; replaced in this order."""
_CYRILLIC: dict[str, str] = dict(
    zip("абвгдезийклмнопрстуфыэ", "abvgdezijklmnoprstufye", strict=True),
    ж="zh",
    х="kh",
    ц="ts",
    ч="ch",
    ш="sh",
    щ="shch",
    ъ="",
    ь="",
    ё="e",
    ю="yu",
    я="ya",
    і="i",
    ї="yi",
    є="ye",
    ґ="g",
)


_LATIN = {ord(letter): letters for letter, letters in _CYRILLIC.items()}


def latin(name: str) -> str:
    """Return the name in small letters, with Cyrillic ones as English passports write them, others as they are."""
    return unicodedata.normalize("NFC", name).casefold().translate(_LATIN)


def collapse(folded: str) -> str:
    """Return the folded name with two letters that stand for one as that one's plain letter: aagaard as agard."""
    for two, one in COLLAPSED.items():
        folded = folded.replace(two, one)
    return folded
