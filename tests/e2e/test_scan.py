"""A phone reads the QR code of a sheet with its camera, on the page itself: Chromium here reads no codes of its own."""

import base64
import io
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import segno
from PIL import Image, ImageFilter
from playwright.sync_api import Browser, Page, expect

from tests.conftest import CHROMIUM, CHROMIUM_ARGUMENTS, PHONE
from tests.e2e.keeping import GAMES, Kept, Thumb, awake, expect_score, open_match
from tests.processes import PATIENCE_SECONDS

pytestmark = pytest.mark.browser

FRAME = (1280, 720)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
READ = """async (address) => {
  const image = Object.assign(new Image(), { src: address });
  await image.decode();
  const { width, height } = image;
  const drawing = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  drawing.drawImage(image, 0, 0);
  return Scan.read(drawing.getImageData(0, 0, image.width, image.height));
}"""


def photo(
    text: str, *, turned: float = 0, tilt: float = 0, blur: float = 0, ink: int = 20, paper: int = 235
) -> Image.Image:
    """The code as a camera sees it, on a grey table."""
    drawn = io.BytesIO()
    segno.make(text.encode(), error="l", mode="byte", boost_error=False, micro=False).save(drawn, kind="png", scale=8)
    code = Image.open(drawn).convert("L").point(lambda value: paper if value else ink).resize((520, 520))
    (width, height), place = FRAME, (380, 100)
    sheet, shape = Image.new("L", FRAME), Image.new("L", FRAME)
    sheet.paste(code, place)
    shape.paste(255, (*place, place[0] + 520, place[1] + 520))
    far = (1 + tilt, tilt / 10, -0.4 * tilt * width, tilt / 20, 1 + 0.8 * tilt, -0.3 * tilt * height)
    seen = [
        part.transform(FRAME, Image.Transform.PERSPECTIVE, (*far, 0.9 * tilt / width, 0.3 * tilt / height)).rotate(
            turned, Image.Resampling.BICUBIC
        )
        for part in (sheet, shape)
    ]
    table = Image.new("L", FRAME, 120)
    table.paste(seen[0], (0, 0), seen[1])
    return table.filter(ImageFilter.GaussianBlur(blur))


@pytest.fixture
def reader(open_page) -> Page:
    page = open_page()
    page.goto("/handed/")
    return page


@pytest.mark.parametrize("length", [40, 350, 800])
@pytest.mark.parametrize(
    "seen", [{}, {"turned": 137}, {"tilt": 0.2, "turned": 12}, {"blur": 1.2}, {"ink": 90, "paper": 170}]
)
def test_codes_are_read_however_the_phone_is_held(reader, length, seen):
    text = "https://play.example.org/handed/#" + "".join(random.Random(length).choices(LETTERS, k=length))
    assert reader.evaluate(READ, as_address(photo(text, **seen))) == text


def test_a_picture_without_a_code_and_one_that_is_half_covered_read_as_nothing(reader):
    table, covered = Image.effect_noise(FRAME, 80), photo("https://play.example.org/handed/#abc")
    covered.paste(128, (640, 100, 900, 400))
    assert [reader.evaluate(READ, as_address(one)) for one in (table, covered)] == [None, None]


def as_address(picture: Image.Image) -> str:
    data = io.BytesIO()
    picture.save(data, "PNG")
    return "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()


@contextmanager
def filming(browser: Browser, url: str, film: Path | None) -> Iterator[Page]:
    """A phone whose camera films this picture; without one it has no camera."""
    fake = ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"] if film else []
    chromium = browser.browser_type.launch(executable_path=CHROMIUM, args=[*CHROMIUM_ARGUMENTS, *fake])
    context = chromium.new_context(base_url=url, locale="en-GB", **PHONE)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    if film:
        context.grant_permissions(["camera"])
    yield context.new_page()
    chromium.close()


def film_of(picture: Image.Image, folder: Path) -> Path:
    path = folder / "film.mjpeg"
    picture.convert("RGB").save(path, "JPEG", quality=90)
    return path


@pytest.fixture
def kept(live_site) -> Kept:
    return open_match(live_site)


def test_two_phones_without_a_network_hand_a_sheet_over_by_camera(kept, browser, phone, provoked, tmp_path):
    provoked.append("ERR_INTERNET_DISCONNECTED")
    phone.goto(kept.keeper("a"))
    awake(phone)
    phone.context.set_offline(True)
    thumb = Thumb(phone)
    thumb.play(GAMES)
    thumb.act("agree")
    thumb.act("show-qr")
    shown = phone.locator("#keeper-qr svg").get_attribute("data-address")
    film = film_of(photo(shown, turned=8, tilt=0.1), tmp_path)
    with filming(browser, kept.site.url, film) as other:
        other.goto(kept.keeper("b"))
        expect_score(other, 0, 0)
        awake(other)
        other.context.set_offline(True)
        other.get_by_role("link", name="Scan QR code").tap()
        other.get_by_role("button", name="Scan here").tap()
        expect(other.locator("[data-part=score]")).to_have_text("7–4")
        expect(other.locator("[data-part=camera]")).to_be_hidden()
        other.get_by_role("button", name="That is right").tap()
        expect(other.get_by_role("heading", name="Signed by both of you")).to_be_visible()
        other.context.set_offline(False)
        expect(other.locator("[data-part=state]")).to_contain_text("Delivered")
    assert "confirmed" in {state for _side, state, _games in kept.sheets()}


def test_another_code_is_named_as_such_and_the_camera_can_be_stopped(live_site, browser, tmp_path):
    film = film_of(photo("https://example.org/menu"), tmp_path)
    with filming(browser, live_site.url, film) as phone:
        phone.goto("/handed/")
        phone.get_by_role("button", name="Scan here").tap()
        expect(phone.get_by_text("That is not the QR code of a score sheet.")).to_be_visible()
        phone.get_by_role("button", name="Stop the camera").tap()
        expect(phone.get_by_role("button", name="Scan here")).to_be_visible()
        assert phone.evaluate("document.querySelector('video').srcObject") is None


def test_a_phone_whose_camera_cannot_be_used_is_told_what_to_do(live_site, browser):
    with filming(browser, live_site.url, None) as phone:
        phone.goto("/handed/")
        phone.get_by_role("button", name="Scan here").tap()
        expect(phone.locator("[data-part=state]")).to_contain_text("camera app")
        expect(phone.get_by_role("button", name="Scan here")).to_be_visible()
