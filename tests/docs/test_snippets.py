"""Python snippets run, C++ ones compile against the public headers, lines of JSON are JSON."""

import json
import re
import subprocess
import sys

import pytest
from markdown import SOURCE, blocks, documents, text_of

# What the documents' snippets take for granted: the reader's own program.
PYTHON = """
from types import SimpleNamespace
import torch
torch.set_grad_enabled(False)
model = transformer = denoise = torch.nn.Linear(4, 4)
x = latents = torch.ones(2, 4)
class Vae(torch.nn.Module):
    def encode(self, x): return x
    def decode(self, x): return x
pipe = SimpleNamespace(transformer=transformer, vae=Vae())
"""
CPP = """
struct Tensor {};
Tensor video, latents;
Tensor decoder(Tensor latents);
void warm_up(), serve(), capture(), launch();
"""


def snippets(document, language):
    return [block for block in blocks(document) if block.language == language and not block.title]


def with_snippets(language):
    return [document for document in documents() if snippets(document, language)]


@pytest.mark.parametrize("document", with_snippets("python"))
def test_python_runs(document, environment, tmp_path):
    text = PYTHON + "\n".join(block.text for block in snippets(document, "python"))
    done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{document}\n{done.stderr}"
    records = list((tmp_path / "records").glob("metadata_*.jsonl"))
    assert bool(records) == ("opcov.record(" in text)


def cpp_source(snippets):
    """One translation unit: all includes, then a function for each snippet."""
    lines = [line for block in snippets for line in block.lines]
    source = "\n".join(line for line in lines if line.startswith("#include")) + CPP
    for number, block in enumerate(snippets):
        body = "\n".join(line for line in block.lines if not line.startswith("#include"))
        source += f"void snippet{number}() {{\n#line {block.line} \"{block.document}\"\n{body}\n}}\n"
    return source


def compile_cpp(source, build_dir):
    cache = (build_dir / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE)[1]
    return subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++",
                           f"-I{SOURCE}/include", "-"], input=source, capture_output=True, text=True, timeout=60)


def test_cpp_compiles(build_dir):
    found = [block for document in with_snippets("cpp") for block in snippets(document, "cpp")]
    assert {block.document for block in found} == {"docs/guide-cpp.md"}
    done = compile_cpp(cpp_source(found), build_dir)
    assert done.returncode == 0, done.stderr
    assert compile_cpp(cpp_source(found) + "int opcov_none = opcov::none();", build_dir).returncode != 0


# Lines of CMake, and what they are in the project that tests/consumer configures and builds.
CMAKE = {
    "find_package(opcov REQUIRED)": r"find_package\(opcov .*REQUIRED\)",
    "target_link_libraries(app PRIVATE opcov::opcov)": r"target_link_libraries\(\w+ PRIVATE .*opcov::opcov\)",
}


def test_cmake_is_what_the_consumer_of_the_tests_has():
    found = [block for document in with_snippets("cmake") for block in snippets(document, "cmake")]
    assert {line.split("#")[0].strip() for block in found for line in block.lines} == set(CMAKE)
    consumer = text_of("tests/consumer/CMakeLists.txt")
    assert [line for line, pattern in CMAKE.items() if not re.search(pattern, consumer)] == []


@pytest.mark.parametrize("document", with_snippets("json"))
def test_json_is_json(document):
    for block in snippets(document, "json"):
        for line in block.lines:
            whole = line.replace('".."', '"text"').replace("..", "")
            assert isinstance(json.loads(whole), dict), f"{block}: {line}"
