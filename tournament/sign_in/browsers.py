"""What a device is called, from what its browser calls itself; only for people to recognise it by."""

BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "Chromebook",
    "Mac OS X": "Mac",
    "Linux": "Linux",
}
"""By a part of the name; the first that is there tells, as browsers call themselves by each other's names too."""


def device_name(agent: str) -> str:
    """Return it as in "Firefox · Windows"; what is no browser of people keeps its own name, cut to 60 letters."""
    found = [next((name for part, name in names.items() if part in agent), "") for names in (BROWSERS, SYSTEMS)]
    return " · ".join(filter(None, found)) if agent.startswith("Mozilla/") and any(found) else agent[:60]
