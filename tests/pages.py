"""The forms of a page as a browser reads them: what it shows, what it would send, and whether a reader sees it."""

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

UNTYPED = {"hidden", "submit", "button", "search"}


@dataclass
class Control:
    """An input, a select or a textarea with its value; ``chosen`` are the values of the options that are picked."""

    tag: str
    attributes: dict[str, str]
    value: str = ""
    options: list[tuple[str, str]] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.attributes.get("name", "")

    @property
    def kind(self) -> str:
        return self.attributes.get("type", "text") if self.tag == "input" else self.tag

    @property
    def is_typed(self) -> bool:
        return self.name != "" and self.kind not in UNTYPED

    @property
    def is_ticked(self) -> bool:
        return "checked" in self.attributes

    def sends(self) -> list[str]:
        """Return the values that the control adds to what is sent."""
        if self.kind in {"checkbox", "radio"}:
            return [self.attributes.get("value", "on")] if self.is_ticked else []
        if self.tag == "select":
            first = [value for value, _text in self.options[:1]]
            return self.chosen or ([] if "multiple" in self.attributes else first)
        return [self.value]


@dataclass
class PageForm:
    """A form of a page; ``is_open`` unless a reader has to open something to see it."""

    attributes: dict[str, str]
    is_open: bool
    controls: list[Control] = field(default_factory=list)
    buttons: list[dict[str, str]] = field(default_factory=list)
    alerts: int = 0

    @property
    def action(self) -> str:
        return urlsplit(self.attributes.get("action", "")).path

    @property
    def typed(self) -> list[Control]:
        return [control for control in self.controls if control.is_typed]

    def addresses(self, page: str) -> list[str]:
        """Return where its buttons send the form that is on this page."""
        own = [self.action or urlsplit(page).path]
        return list(dict.fromkeys(urlsplit(button.get("formaction", "")).path or own[0] for button in self.buttons))

    def data(self) -> dict[str, list[str]]:
        """Return what a browser sends if nothing is changed, without the button that is pressed."""
        sent: dict[str, list[str]] = {}
        for control in self.controls:
            if control.name and control.kind != "submit" and control.kind != "file":
                sent.setdefault(control.name, []).extend(control.sends())
        return {name: values for name, values in sent.items() if values}


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[PageForm] = []
        self.form: PageForm | None = None
        self.control: Control | None = None
        self.details: list[bool] = []
        self.option: str | None = None
        self.focused: list[str] = []
        self.alerts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.alerts += found.get("role") == "alert"
        if "autofocus" in found:
            self.focused.append(found.get("name", tag))
        if tag == "details":
            self.details.append("open" in found)
        elif tag == "form":
            self.form = PageForm(found, all(self.details))
            self.forms.append(self.form)
        elif self.form is not None:
            self._in_form(self.form, tag, found)

    def _in_form(self, form: PageForm, tag: str, found: dict[str, str]) -> None:
        form.alerts += found.get("role") == "alert"
        if tag in {"input", "select", "textarea"}:
            self.control = Control(tag, found, found.get("value", "") if tag == "input" else "")
            form.controls.append(self.control)
        elif tag == "button":
            form.buttons.append(found)
        elif tag == "option" and self.control is not None:
            self.option = found.get("value")
            if self.option is None:
                self.control.options.append(("", ""))
            else:
                self.control.options.append((self.option, ""))
            if "selected" in found:
                self.control.chosen.append(self.option if self.option is not None else "?")

    def handle_data(self, data: str) -> None:
        if self.control is not None and self.control.tag == "textarea":
            self.control.value += data
        elif self.control is not None and self.control.options and self.lasttag == "option" and data.strip():
            value, text = self.control.options[-1]
            text = text + data.strip()
            is_bare = self.option is None
            self.control.options[-1] = (text if is_bare else value, text)
            if is_bare and self.control.chosen[-1:] == ["?"]:
                self.control.chosen[-1] = text

    def handle_endtag(self, tag: str) -> None:
        if tag == "details" and self.details:
            self.details.pop()
        elif tag == "form":
            self.form = None
        elif tag in {"select", "textarea"}:
            if self.control is not None and tag == "textarea":
                self.control.value = self.control.value.removeprefix("\n")
            self.control = None


def forms_of(page: object) -> list[PageForm]:
    """Return the forms of an answer, in order."""
    return _read(page).forms


def focused_of(page: object) -> list[str]:
    """Return the names, or else the tags, of what takes the focus when the page has loaded."""
    return _read(page).focused


def alerts_of(page: object) -> int:
    """Return how many sentences of an answer are read out at once."""
    return _read(page).alerts


def form_at(page: object, address: str, field: str = "") -> PageForm:
    """Return the one form of an answer that is sent to this address, and has this field."""
    found = [form for form in forms_of(page) if form.action == address]
    [form] = [form for form in found if not field or field in {control.name for control in form.controls}]
    return form


def _read(page: object) -> _Forms:
    reader = _Forms()
    reader.feed(page.content.decode())  # type: ignore[attr-defined]
    return reader


def text_of(page) -> str:
    """Return the text of the answer with single spaces; a score that stays on one line is part of its sentence."""
    whole = re.sub(r'<span class="unbroken">(.*?)</span>', r"\1", page.content.decode())
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", whole)).split())
