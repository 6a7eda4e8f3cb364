import pytest


@pytest.mark.browser
def test_the_documentation_lists_the_operations_and_the_browser_blocks_nothing_of_it(page):
    page.goto("/api/v1/docs/")
    page.get_by_text("Enter or correct the result of a match").wait_for()
    page.get_by_text("Enter or correct the result of a match").click()
    page.get_by_text("confirm_warnings").first.wait_for()
