"""The documents that people read, and what stands in them as code.

A block is fenced and names its language. `sh` are commands; `console` are commands behind a `$`, each with what it
prints; `text` is anything that is neither. `python title="app.py"` is a file.
"""

import re
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parents[2]
FENCE = re.compile(r'^```(\w*)(?: title="([^"]+)")?$')


@dataclass
class Block:
    document: str
    line: int  # of its first line
    language: str  # "" where it names none
    title: str  # "" where it is no file
    lines: list

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def __str__(self):
        return f"{self.document}:{self.line}"


def documents():
    """Paths from the source folder, the vendored ones left out."""
    found = [path for pattern in ("*.md", "docs/*.md", "examples/*/README.md") for path in SOURCE.glob(pattern)]
    return sorted(path.relative_to(SOURCE).as_posix() for path in found)


def text_of(file):
    return (SOURCE / file).read_text()


def blocks(document):
    """In their order. One that is made by four spaces has no language."""
    found, open_fence, before = [], False, ""
    for number, line in enumerate(text_of(document).splitlines(), 1):
        fence = FENCE.match(line)
        if open_fence:
            if line == "```":
                open_fence = False
            else:
                found[-1].lines.append(line)
        elif fence:
            open_fence = True
            found.append(Block(document, number + 1, fence[1], fence[2] or "", []))
        elif line.startswith("    ") and not before.strip():
            found.append(Block(document, number, "", "", [line]))
        before = line
    assert not open_fence, f"{document} ends within a block"
    return found


def prose(text):
    """A document's text, or a part of it, without its blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def code_spans(text):
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose(text))]


def table_rows(text):
    """The first cells of its tables' rows, where these are code."""
    return [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| `")]


def section(document, title):
    """The text below a heading, up to the next one of its level or above."""
    text = text_of(document)
    level = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    assert level, f"{document} has no heading {title!r}"
    rest = text[level.end() :]
    end = re.search(rf"^#{{1,{len(level[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def anchors(text):
    """As GitHub makes them of headings."""
    titles = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
