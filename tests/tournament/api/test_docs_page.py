import pytest

from tests.processes import wait_until


@pytest.mark.browser
def test_the_documentation_lists_the_operations_and_the_browser_blocks_nothing_of_it(page):
    """The page holds only the operations near those that are seen, so a reader scrolls to the others."""
    page.goto("/api/v1/docs/")
    page.locator(".opblock").first.wait_for()
    page.mouse.move(640, 400)
    operation = page.get_by_text("Enter or correct the result of a match")

    def is_seen_further_down() -> bool:
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(200)
        return operation.is_visible()

    wait_until(is_seen_further_down, why="the operation is on the page")
    operation.click()
    page.get_by_text("confirm_warnings").first.wait_for()
