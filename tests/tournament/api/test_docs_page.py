import pytest
from playwright.sync_api import expect


@pytest.mark.browser
def test_the_documentation_lists_the_operations_and_the_browser_blocks_nothing_of_it(page):
    page.goto("/api/v1/docs/")
    operation = page.get_by_text("Enter or correct the result of a match")
    subject = page.locator("#operations-tag-matches")
    subject.wait_for()
    expect(operation).to_have_count(0)
    subject.click()
    operation.click()
    page.get_by_text("confirm_warnings").first.wait_for()
