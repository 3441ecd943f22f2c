// `opcov index`: a manifest of snapshots, from the metadata in them.
#include <algorithm>

#include "base/output_file.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "format/format_error.h"
#include "snapshot/snapshot_files.h"
#include "snapshot/snapshot_index.h"

namespace opcov {
namespace {

constexpr std::size_t kMostProblems = 20;

class IndexCommand : public Command {
 public:
  explicit IndexCommand(CLI::App& parent)
      : Command(parent.add_subcommand("index", "Write the manifest of .pt files with operator inputs")) {
    app().add_option("SNAPSHOTS", names_, "Files of torch.save, folders of them, or globs")->required();
    app().add_option("-o,--output", output_, "File to write; the standard output without it")->type_name("FILE");
    app().add_option("--op", op_, "The operator of files that do not name theirs")->type_name("OP");
    app().add_option("--stage", stage_, "The stage of files that do not name theirs")->type_name("STAGE");
    app().add_flag("--no-sha256", no_sha256_, "Leave out the files' digests, for which they have to be read whole");
    app().add_flag("--force", force_, "Replace FILE where it exists");
    add_example("opcov index snapshots -o inputs.jsonl");
  }

  int run() override {
    if (!output_.empty()) check_writable(output_, force_);
    const std::vector<std::string> files = find_snapshot_files(names_);
    refuse_input(files);
    const IndexedSnapshots index = index_snapshots(files, defaults(), !no_sha256_);
    if (!index.problems.empty()) {
      print_problems(index.problems);
      throw bad_input("nothing was written, because " + std::to_string(index.problems.size()) + " of " +
                      std::to_string(files.size()) + " files cannot be indexed");
    }
    write_result(manifest_text(index), output_, force_);
    return 0;
  }

 private:
  SnapshotDefaults defaults() const {
    SnapshotDefaults defaults;
    try {
      if (!op_.empty()) defaults.op = operator_name(op_);
    } catch (const FormatError&) {
      throw bad_input("--op " + op_ + " is no operator's name; write it as aten.linear.default");
    }
    if (app().count("--stage") > 0) defaults.stage = stage_;
    return defaults;
  }

  void refuse_input(const std::vector<std::string>& files) const {
    if (std::any_of(files.begin(), files.end(), [&](const std::string& file) { return same_file(file, output_); }))
      throw bad_input(output_ + ": is one of the files read; give another name for the manifest");
  }

  static void print_problems(const std::vector<std::string>& problems) {
    for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) print_error(problems[i]);
    if (problems.size() > kMostProblems)
      print_error("and " + std::to_string(problems.size() - kMostProblems) + " more files like these");
  }

  std::vector<std::string> names_;
  std::string output_;
  std::string op_;
  std::string stage_;
  bool no_sha256_ = false;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_index_command(CLI::App& parent) { return std::make_unique<IndexCommand>(parent); }

}  // namespace opcov
