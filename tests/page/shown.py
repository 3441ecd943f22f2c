"""What the tests read from a page, and do to it."""

import re

# The signature of the golden case that no profiled input covers and that is called most often.
LARGEST = "255d8b6427b0b5a79c74a59d751e921af25bbb329fb9011dc0ba8d8b5cc46d94"


def number(text):
    """ "1,234 calls" -> 1234"""
    return int(re.match(r"[\d,]+", text).group().replace(",", ""))


def percent(part, whole):
    return f"{100 * part / whole:.1f} %"


class ShownPage:
    def __init__(self, page):
        self.page = page

    def text(self, selector):
        return self.page.inner_text(selector)

    def answer(self):
        return " ".join(self.text("h1").split())

    def elements(self):
        return self.page.evaluate("document.querySelectorAll('*').length")

    def clipboard(self):
        return self.page.evaluate("navigator.clipboard.readText()")

    def commands(self, within):
        return self.page.locator(f"{within} .command code").all_inner_texts()

    def chosen(self):
        """The digest of the chosen line; None of a fold."""
        (line,) = [line for line in self.visible_lines() if line["chosen"]]
        return line["digest"]

    def found(self):
        return self.text("#found")

    def lines(self):
        """The list from its beginning to its end: {digest or None, call, calls, because} a line, by scrolling."""
        lines = {}
        self.scroll_to_begin()
        while True:
            lines |= {line["place"]: line for line in self.visible_lines()}
            at_end = self.page.evaluate("""() => {
                const scroller = document.getElementById("scroller");
                const before = scroller.scrollTop;
                scroller.scrollTop += scroller.clientHeight;
                return scroller.scrollTop === before;
            }""")
            if at_end:
                self.scroll_to_begin()
                return [lines[place] for place in sorted(lines)]
            self.wait_for_drawing()

    def scroll_to_begin(self):
        self.page.evaluate("document.getElementById('scroller').scrollTop = 0")
        self.wait_for_drawing()

    def wait_for_drawing(self):
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def visible_lines(self):
        lines = self.page.eval_on_selector_all("#space > .line", """(lines) => lines.map((line) => ({
            place: Number(line.getAttribute("aria-rowindex")),
            digest: line.dataset.digest ?? null,
            status: line.querySelector(".mark").getAttribute("aria-label"),
            call: line.querySelector(".call").textContent,
            because: line.querySelector(".because").textContent,
            calls: line.querySelector(".calls b").textContent,
            chosen: line.classList.contains("chosen"),
        }))""")
        return [{**line, "calls": number(line["calls"])} for line in lines]

    def unfolded_lines(self):
        if self.page.locator("#fold").count() > 0:  # where signatures fold at all
            self.page.uncheck("#fold")
        return self.lines()

    def breakdown(self):
        """{"dit · linear": ("163,200 calls", "0.7 %")}, the total as "Total"."""
        rows = self.page.eval_on_selector_all("#breakdown tbody tr, #breakdown tfoot tr", """(rows) => rows.map((row) =>
            [row.querySelector("th").innerText.trim(), ...[...row.querySelectorAll(".number")].map((cell) => cell.innerText)])""")
        return {name: tuple(figures[:2]) for name, *figures in rows}

    def weigh_by(self, weight):
        self.page.click(f"#weight [data-value={weight}]")
