import pytest

from tournament.sign_in.browsers import device_name

APPLE = "AppleWebKit/605.1.15 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Linux"),
        (
            f"Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) {APPLE} Version/19.0 Safari/604.1",
            "Safari · iPhone",
        ),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {APPLE} Chrome/140.0 Safari/537.36", "Chrome · Mac"),
        ("Mozilla/5.0 (Linux; Android 15; K) Chrome/140.0 Mobile Safari/537.36 EdgA/140.0", "Edge · Android"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36", "Chrome · Windows"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("Mozilla/5.0 (something else)", "Mozilla/5.0 (something else)"),
        ("", ""),
        ("x" * 200, "x" * 60),
    ],
)
def test_a_device_is_called_by_its_browser_and_system(agent, name):
    assert device_name(agent) == name
