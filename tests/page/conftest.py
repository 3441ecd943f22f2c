"""Pages in Debian's chromium. A page that says anything on the console, or asks for anything but itself, fails."""

import json
import shutil

import pytest
from playwright.sync_api import sync_playwright

from shown import ShownPage


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # Its sandbox needs more rights than containers have; the pages are our own.
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def show(browser):
    """show(file, width=, height=, **context): the page, once it is ready."""
    contexts, problems = [], []

    def open_page(file, width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        address = file.as_uri()
        page.on("console", lambda message: problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url == address or problems.append(f"request: {request.url}"))
        page.goto(address)
        page.wait_for_selector("html[data-ready]", timeout=60_000)
        return ShownPage(page)

    open_page.problems = problems
    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture(scope="session")
def write_page(run):
    """write_page(folder, *records, inputs=[]): report.json, detail.json and report.html in the folder; the last."""

    def write(folder, *records, inputs=()):
        command = ["opcov", "report", *records, "-o", "report.json", "--detail", "detail.json", "--html", "report.html"]
        run([*command, *(["--inputs", *inputs] if inputs else [])], cwd=folder)
        return folder / "report.html"

    return write


@pytest.fixture(scope="session")
def golden(write_page, source_dir, tmp_path_factory):
    """The page of the golden case, from its folder as the working one."""
    folder = tmp_path_factory.mktemp("golden") / "case"
    shutil.copytree(source_dir / "tests/golden", folder, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    return write_page(folder, "records", inputs=["inputs.jsonl"])


@pytest.fixture(scope="session")
def report(golden):
    return json.loads(golden.with_name("report.json").read_text())


@pytest.fixture(scope="session")
def detail(golden):
    return json.loads(golden.with_name("detail.json").read_text())


@pytest.fixture
def golden_page(show, golden):
    return show(golden)
