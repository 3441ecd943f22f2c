// `opcov merge`: the records of several files in one.
#include <algorithm>
#include <filesystem>

#include "base/line_reader.h"
#include "base/output_file.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "format/counts_reader.h"
#include "format/merge.h"
#include "format/record_files.h"

namespace opcov {
namespace {

class MergeCommand : public Command {
 public:
  explicit MergeCommand(CLI::App& parent)
      : Command(parent.add_subcommand("merge", "Write the records of several files to one, which is a record again")) {
    app().add_option("RECORDS", records_, "Record files, folders of them, or globs")->required();
    app().add_option("-o,--output", output_, "File to write")->type_name("FILE")->required();
    app().add_flag("--force", force_, "Replace FILE where it exists");
    add_example("opcov merge node0/ node1/ -o job.jsonl");
  }

  int run() override {
    check_output();
    const std::vector<std::string> files = find_record_files(records_);
    refuse_inputs(files);
    const MergePlan plan = plan_merge(files);
    print_warnings(plan.warnings);
    write_result([&](const Sink& sink) { write_merged(plan, sink); }, output_, force_);
    return 0;
  }

 private:
  static bool exists(const std::string& path) {
    std::error_code code;
    return std::filesystem::exists(path, code);
  }

  void check_output() const {
    if (output_.empty()) throw bad_input("merge: -o got an empty name; give one");
    if (output_.ends_with(".counts"))
      throw bad_input(output_ + ": is a sidecar's name; give the merged file one that ends in .jsonl");
    check_writable(output_, force_);
    const std::string counts = counts_path(output_);
    if (!counts.empty() && exists(counts))
      throw bad_input(counts + ": is another record's sidecar, and would be read with " + output_ +
                      "; give another name");
  }

  // --force is about an older result, never about what the new one is made from.
  void refuse_inputs(const std::vector<std::string>& files) const {
    if (!exists(output_)) return;
    const FileIdentity output = file_identity(output_);
    if (std::any_of(files.begin(), files.end(), [&](const auto& file) { return file_identity(file) == output; }))
      throw bad_input(output_ + ": is one of the files read; give another name");
  }

  std::vector<std::string> records_;
  std::string output_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_merge_command(CLI::App& parent) { return std::make_unique<MergeCommand>(parent); }

}  // namespace opcov
