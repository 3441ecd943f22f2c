// What the executable tells of itself: --help, --version, completion in shells, the manual page.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "support.h"

namespace opcov {
namespace {

using test::Outcome;
using test::shell;

std::set<std::string> found(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> all;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) all.insert((*at)[1]);
  return all;
}

class Completion : public testing::Test {
 protected:
  Completion() {
    dir_.write("records/some.jsonl", "");
    dir_.write("a file.json", "");
  }

  std::string output(const std::string& command) {
    const Outcome outcome = shell(command, dir_.path());
    EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
    EXPECT_EQ(outcome.err, "") << command;
    return outcome.out;
  }

  // As --help lists them.
  std::set<std::string> commands() {
    const std::string help = output("$OPCOV --help");
    std::set<std::string> all = found(help.substr(help.find("Subcommands:")), "\\n  ([a-z]+)");
    EXPECT_TRUE(all.contains("report") && all.contains("top"));
    return all;
  }

  // The same without one that has the options of another program.
  std::set<std::string> own_commands() {
    std::set<std::string> all = commands();
    all.erase("replay");
    return all;
  }

  // What bash offers for the last of the words.
  std::set<std::string> offered(const std::string& words) {
    const std::string out = output(
        "PATH=$(dirname \"$OPCOV\"):$PATH bash -c 'source <(opcov completion bash)\n"
        "COMP_WORDS=(" +
        words + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_opcov\nprintf \"%s\\n\" \"${COMPREPLY[@]}\"'");
    std::istringstream lines(out);
    std::set<std::string> all;
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) all.insert(line);
    return all;
  }

  test::TempDir dir_;
};

TEST_F(Completion, BashOffersCommandsOptionsAndValues) {
  std::set<std::string> first = commands();
  first.insert({"--help", "--version"});
  EXPECT_EQ(offered("opcov \"\""), first);
  EXPECT_EQ(offered("opcov re"), (std::set<std::string>{"report", "replay"}));
  EXPECT_EQ(offered("opcov report --de"), std::set<std::string>{"--detail"});
  EXPECT_EQ(offered("opcov report records --by \"\""), (std::set<std::string>{"calls", "flops", "signatures"}));
  EXPECT_EQ(offered("opcov diff a b --fail-on co"), (std::set<std::string>{"counts", "coverage"}));
  EXPECT_EQ(offered("opcov completion \"\""), (std::set<std::string>{"bash", "zsh"}));
  // Left to readline, which completes files; a number is not completed.
  for (const char* words : {"opcov report rec", "opcov report --inputs \"\"", "opcov report -o a", "opcov nonsense x",
                            "opcov top records --interval \"\""})
    EXPECT_EQ(offered(words), std::set<std::string>()) << words;
}

TEST_F(Completion, BashOffersTheOptionsThatHelpNames) {
  for (const std::string& command : own_commands()) {
    const std::string help = output("$OPCOV " + command + " --help");
    const std::set<std::string> named = found(help.substr(0, help.find("Example:")), "\\n  (?:-\\w,)?(--[a-z0-9-]+)");
    EXPECT_FALSE(named.empty()) << command;
    EXPECT_EQ(offered("opcov " + command + " --"), named) << command;
  }
}

TEST_F(Completion, BashLeavesFilesToReadline) {
  EXPECT_EQ(output("PATH=$(dirname \"$OPCOV\"):$PATH bash -c 'source <(opcov completion bash); complete -p opcov'"),
            "complete -o default -F _opcov opcov\n");
}

// What zsh's own functions are told, on which words they get: names with what --help says of them.
TEST_F(Completion, ZshIsToldWhatHelpSays) {
  const auto told = [&](const std::string& words) {
    return "\n" + output(
                      "PATH=$(dirname \"$OPCOV\"):$PATH zsh -f -c 'compdef() { : }\n"
                      "_arguments() { print -rl -- \"$@\" }\n_describe() { print -rl -- \"${(P@)2}\" }\n"
                      "source <(opcov completion zsh)\nwords=(" +
                      words + " \"\"); CURRENT=$#words; _opcov'");
  };
  const std::string report = told("opcov report");
  for (const char* line :
       {"--scope[The report's scope text instead of opcov's own]:TEXT: ", "--force[Replace FILE where it exists]",
        "-o[File to write; the standard output without it]:FILE:_files",
        "--detail[Side file to write\\: for each uncovered signature the nearest inputs, and more]:FILE:_files",
        "--by[What --fail-under counts\\: calls, signatures or flops]:WORK:(calls signatures flops)", "*:file:_files"})
    EXPECT_NE(report.find(std::string("\n") + line + "\n"), std::string::npos) << line << "\nis not in" << report;
  EXPECT_NE(told("opcov completion").find("\n*:file:(bash zsh)\n"), std::string::npos);
  EXPECT_NE(told("opcov").find("\nrun:Run a program with recording on and summarise: opcov run -- CMD...\n"),
            std::string::npos);
}

// zsh as it is at a prompt, on a pseudo-terminal: types what is given and answers with what then stands there.
TEST_F(Completion, ZshCompletesWhatIsTyped) {
  dir_.write("typed.py", R"(import os, pty, re, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp("zsh", ["zsh", "-f", "-i"])
shown = ""
def read_until(pattern):
    global shown
    while not re.search(pattern, shown):
        shown += os.read(fd, 4096).decode()
    shown = ""
def send(text, then):
    os.write(fd, text.encode())
    read_until(then)
send("PS1=; unsetopt prompt_sp; autoload -U compinit && compinit -u -D; source <(opcov completion zsh); echo re''ady\n", "ready")
for typed, then in zip(sys.argv[1::2], sys.argv[2::2]):
    send(typed + "\t", then)
    send("\x15", "")
os.write(fd, b"\x04")
)");
  output("export TERM=xterm; PATH=$(dirname \"$OPCOV\"):$PATH timeout 60 '" TEST_PYTHON
         "' typed.py 'opcov summ' summary 'opcov report --fail' fail-under 'opcov report records --by sig' signatures "
         "'opcov diff rec' records 'opcov completion z' zsh 'opcov profile --missing rec' records "
         "'opcov replay --records rec' records 'opcov profile --snapshots rec' records");
}

TEST_F(Completion, EveryCommandHasAnExample) {
  for (const std::string& command : own_commands()) {
    const std::string own = output("$OPCOV " + command + " --help");
    EXPECT_TRUE(std::regex_search(own, std::regex("\nExample:\n  .*opcov " + command))) << own;
  }
}

TEST_F(Completion, VersionSaysWhatTheRecorderIsFor) {
  EXPECT_TRUE(
      std::regex_match(output("$OPCOV --version"),
                       std::regex("opcov " OPCOV_VERSION
                                  "\nbuilt (without the recorder|with the recorder for torch [0-9]+\\.[0-9]+\\.[0-9]+, "
                                  "(without CUDA|CUDA [0-9.]+))\n")));
}

TEST_F(Completion, TheManualNamesEveryCommandAndOption) {
  const std::string manual = output("$OPCOV man");
  EXPECT_EQ(found(manual, "\\n\\.SS \"opcov ([a-z]+)\""), commands());
  std::set<std::string> macros = found(manual, "\\n(\\.[A-Z]*[a-z]*)");
  macros.insert(manual.substr(0, manual.find(' ')));
  EXPECT_EQ(macros, (std::set<std::string>{".B", ".I", ".PP", ".SH", ".SS", ".TH", ".TP", ".fi", ".nf"}));
  std::string report = manual.substr(manual.find(".SS \"opcov report\""));
  report = report.substr(0, report.find(".SS", 1));
  for (const std::string& option : offered("opcov report --")) {
    std::string escaped = std::regex_replace(option, std::regex("-"), "\\-");
    EXPECT_NE(report.find("\\fB" + escaped + "\\fR"), std::string::npos) << option;
  }
  EXPECT_NE(report.find("\n  opcov report opcov\\-records"), std::string::npos);
  EXPECT_NE(report.find("\\fB\\-\\-by\\fR \\fIWORK\\fR\n"), std::string::npos);
  EXPECT_NE(report.find("\nOne of calls, signatures, flops.\n"), std::string::npos);
}

}  // namespace
}  // namespace opcov
