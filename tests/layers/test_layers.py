"""The layers hold in this tree, and the check finds each kind of break in made-up ones."""

import subprocess

import pytest
from layers import Tree, violations


def test_this_tree_keeps_to_the_layers(source_dir):
    assert len(list(Tree(source_dir).sources())) > 20
    assert list(violations(source_dir)) == []


def test_offline_tool_links_neither_torch_nor_cuda(build_dir):
    needed = subprocess.run(["readelf", "-dW", build_dir / "bin" / "opcov"], capture_output=True, text=True, check=True)
    assert "(NEEDED)" in needed.stdout
    assert not any(word in needed.stdout for word in ("torch", "c10", "cuda", "cudart"))


def _tree(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return list(violations(root))


HEADER = {"csrc/base/error.h": "", "include/opcov/opcov.h": "", "csrc/intercept/hook.h": "#include <ATen/ATen.h>\n"}

BREAKS = [
    ({"csrc/base/a.cc": '#include "report/b.h"\n', "csrc/report/b.h": ""}, "csrc/base may not include csrc/report/b.h"),
    ({"csrc/cli/a.cc": '#include "csrc/intercept/hook.h"\n'}, "csrc/cli may not include csrc/intercept/hook.h"),
    ({"include/opcov/x.h": "#include <base/error.h>\n"}, "include/opcov may not include csrc/base/error.h"),
    ({"csrc/format/a.cc": "#  include <c10/core/Device.h>\n"}, "torch is included outside"),
    ({"csrc/intercept/a.cc": '#include "hook.h"\n#include <fmt/format.h>\n'}, "fmt and torch"),
    ({"csrc/intercept/a.cc": 'auto x = std::getenv("OPCOV");\n'}, "reads the environment"),
    ({"csrc/cli/terminal.cc": 'auto x = std::getenv("OPCOV_DIR");\n'}, "a variable of opcov's own"),
    ({"csrc/base/a.cc": '#include "missing.h"\n'}, "no file of ours"),
    ({"csrc/replay/a.cc": "#if TORCH_VERSION_MINOR < 11\n"}, "depends on torch's version"),
]


@pytest.mark.parametrize("files, complaint", BREAKS, ids=[complaint for _, complaint in BREAKS])
def test_a_break_is_found(tmp_path, files, complaint):
    found = _tree(tmp_path, {**HEADER, **files})
    assert any(complaint in line for line in found), found


def test_what_is_allowed_passes(tmp_path):
    allowed = {
        "csrc/intercept/a.cc": '#include "hook.h"\n#include "base/error.h"\n// getenv in a comment\n',
        "csrc/intercept/torch_version.h": "#include <torch/version.h>\n#if TORCH_VERSION_MINOR < 11\n#endif\n",
        "csrc/cli/main.cc": "#include <opcov/opcov.h>\n#include <fmt/format.h>\n",
    }
    assert _tree(tmp_path, {**HEADER, **allowed}) == []
