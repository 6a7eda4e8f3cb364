"""Values that count how often they are looked at, so that a test can hold a bound on work without a clock.

What happens inside a regular expression is not counted: script/bench times that.
"""

from __future__ import annotations


class Steps:
    """How many steps have been taken so far, by everything that was given this counter."""

    def __init__(self):
        self.taken = 0


class CountedList(list):
    """A list that counts the items that are taken from it or passed over in a search."""

    def __init__(self, steps, items=()):
        super().__init__(items)
        self.steps = steps

    def __getitem__(self, place):
        self.steps.taken += len(range(len(self))[place]) if isinstance(place, slice) else 1
        return super().__getitem__(place)

    def __iter__(self):
        for item in super().__iter__():
            self.steps.taken += 1
            yield item

    def __contains__(self, wanted):
        return any(item == wanted for item in self)

    def index(self, wanted):
        return next(place for place, item in enumerate(self) if item == wanted)

    def pop(self, place=-1):
        self.steps.taken += len(range(len(self))[place:])
        return super().pop(place)


class CountedDict(dict):
    """A dictionary that counts the keys that are looked up in it, and the items that are gone through."""

    def __init__(self, steps, items):
        super().__init__(items)
        self.steps = steps

    def __getitem__(self, key):
        self.steps.taken += 1
        return super().__getitem__(key)

    def __contains__(self, key):
        self.steps.taken += 1
        return super().__contains__(key)

    def get(self, key, default=None):
        self.steps.taken += 1
        return super().get(key, default)

    def __iter__(self):
        self.steps.taken += len(self)
        return super().__iter__()

    def items(self):
        self.steps.taken += len(self)
        return super().items()

    def values(self):
        self.steps.taken += len(self)
        return super().values()


class CountedBytes(bytes):
    """Bytes that count those that are read or copied, and so do the texts that are decoded or cut from them."""

    def __new__(cls, steps, data):
        counted = super().__new__(cls, data)
        counted.steps = steps
        return counted


class CountedText(str):
    """A text that counts the characters that are read or copied, and so do the texts that are cut from it."""

    __slots__ = ("steps",)

    def __new__(cls, steps, text):
        counted = super().__new__(cls, text)
        counted.steps = steps
        return counted


RANGED = {"count", "find", "index", "rfind", "rindex"}
"""Methods that read a part of a text, from their second argument to their third."""

COUNTED = RANGED | {
    *{"__add__", "__contains__", "__getitem__", "__iter__", "decode", "encode", "endswith", "expandtabs", "isascii"},
    *{"isdecimal", "isspace", "join", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "replace"},
    *{"rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "translate"},
}


def characters(name, text, args, result):
    """How many characters the method of this name read or copied."""
    if name == "__getitem__":
        return len(result) if isinstance(args[0], slice) else 1
    if name in ("startswith", "endswith"):
        return 1
    if name in RANGED and len(args) > 1:
        return len(range(len(text))[slice(*args[1:], *[None] * (3 - len(args)))])
    return len(text)


def counting(method):
    """The method of a text or of bytes; it counts what it reads and hands the counter on to what it returns."""
    name = method.__name__

    def counted(self, *args, **kwargs):
        result = method(self, *args, **kwargs)
        self.steps.taken += characters(name, self, args, result)
        return handed_on(self.steps, result)

    return counted


def handed_on(steps, result):
    """The result of a method; it counts as well if it is text or bytes, or a list of them."""
    if isinstance(result, str):
        return CountedText(steps, result)
    if isinstance(result, bytes):
        return CountedBytes(steps, result)
    if isinstance(result, list):
        return CountedList(steps, [handed_on(steps, item) for item in result])
    return tuple(handed_on(steps, item) for item in result) if isinstance(result, tuple) else result


for plain, counted_class in ((bytes, CountedBytes), (str, CountedText)):
    for method_name in COUNTED & set(dir(plain)):
        setattr(counted_class, method_name, counting(getattr(plain, method_name)))
