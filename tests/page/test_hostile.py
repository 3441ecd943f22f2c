"""Names and arguments are input: they are shown as they are, and nothing in them is run."""

import shlex

import pytest
from made_records import linear, signature, tensor, write_manifest, write_record

SCRIPT = "<script>alert(1)</script>"
QUOTED = "it's a \"stage\" & <b>more</b>"
ENDING = "</script><script>alert(2)</script><!--"
OPERATOR = "evil.<img src=x onerror=alert(3)>.default"
LINES = "two\u2028lines\u2029and \u202e control \x07 characters"


@pytest.fixture
def page(show, write_page, tmp_path):
    calls = [
        (linear(2, stage=SCRIPT), 5),
        (linear(3, stage=QUOTED), 4),
        (signature(tensor(4), ENDING, op="aten.special.default"), 3),
        (signature(tensor(4), op=OPERATOR), 2),
        (linear(5, stage=LINES), 1),
    ]
    records = tmp_path / "records $(touch x) 'of' \"me\""
    write_record(records, calls, notices=[("look_alikes", 7, f"{SCRIPT} {ENDING}")], torch=SCRIPT, host=ENDING)
    manifest = write_manifest(tmp_path / "inputs.jsonl", [linear(2, stage=SCRIPT)])
    return show(write_page(tmp_path, records.name, inputs=[manifest.name]))


def test_every_name_is_shown_letter_by_letter(page):
    lines = page.unfolded_lines()
    stages = [line["because"].split(" · ")[0] for line in lines]
    assert stages == [SCRIPT, QUOTED, "dit", "dit", LINES]
    assert ENDING in lines[2]["call"].replace('\\"', '"')
    assert OPERATOR.removesuffix(".default") in lines[3]["call"]
    assert SCRIPT in page.text("#spots")
    assert SCRIPT in page.text("#run-card")
    assert page.page.locator("img, b b, script").count() == 3  # the data, the library and the page's own script


def test_filters_and_commands_take_such_names(page):
    page.page.select_option("[aria-label='All stages']", label=QUOTED)
    assert page.found().startswith("1 of 5 signatures")
    page.page.click(".line >> nth=0")
    commands = [shlex.split(text) for text in page.page.locator("#details .command code").all_inner_texts()]
    assert [f"OPCOV_CAPTURE={QUOTED}=aten::linear.default" in words for words in commands].count(True) == 1
    (explain,) = [words for words in commands if words[:2] == ["opcov", "explain"]]
    assert explain[2] == "records $(touch x) 'of' \"me\""


def test_the_policy_runs_no_script_but_the_pages_own(page, show):
    ran = page.page.evaluate("""() => new Promise((done) => {
        document.addEventListener("securitypolicyviolation", (event) => done(event.violatedDirective));
        const script = document.createElement("script");
        script.textContent = "document.title = 'ran'";
        document.body.append(script);
    })""")
    assert ran == "script-src-elem"
    assert page.page.title() != "ran"
    (problem,) = show.problems
    assert "Content Security Policy" in problem
    show.problems.clear()
