// `opcov profile`: runs calls under Nsight Compute, each alone, and lists what was profiled in a manifest.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/beside_this.h"
#include "cli/child_process.h"
#include "cli/command.h"
#include "cli/ncu_command.h"
#include "cli/profile_manifest.h"
#include "cli/terminal.h"
#include "format/digest_prefix.h"
#include "report/profile_targets.h"
#include "report/scope_text.h"
#include "snapshot/input_name.h"

namespace opcov {
namespace {

constexpr int kSignalled = 128;

std::string name_of(const ProfileTarget& target) {
  const Signature& signature = target.signature;
  return (signature.stage.empty() ? "" : signature.stage + " ") + signature.op + " " +
         signature.digest.substr(0, kShortDigest);
}

bool has_content(const std::string& file) {
  std::error_code code;
  return std::filesystem::is_regular_file(file, code) && !std::filesystem::is_empty(file, code);
}

class ProfileCommand : public Command {
 public:
  explicit ProfileCommand(CLI::App& parent)
      : Command(parent.add_subcommand("profile", "Profile calls with Nsight Compute, each alone: opcov profile ...")) {
    app().add_option("DIGESTS", request_.digests, "First digits of the digests of signatures, four at least");
    app().add_option("--missing", request_.report, "A report: its uncovered signatures")->type_name("REPORT.json");
    app()
        .add_option("--records", request_.records, "Record files, folders of them, or globs: inputs are made of these")
        ->type_name("RECORDS");
    app()
        .add_option("--snapshots", request_.snapshots, "Snapshots to take the inputs from: .pt files, folders, globs")
        ->type_name("SNAPSHOTS");
    app().add_option("-o,--output", dir_, "Folder for the .ncu-rep files")->type_name("DIR")->capture_default_str();
    app()
        .add_option("--manifest", manifest_, "Manifest to add them to (default: inputs.jsonl in DIR)")
        ->type_name("FILE");
    app().add_option("--ncu", ncu_.ncu, "Nsight Compute's command line")->type_name("PATH")->capture_default_str();
    app()
        .add_option("--load", ncu_.libraries, "Library that registers operators")
        ->type_name("LIB.so")
        ->allow_extra_args(false);
    app().add_flag("--force", force_, "Replace files in DIR that the manifest does not list");
    app().add_flag("--dry-run", dry_run_, "Print the commands, and run none");
    app().add_flag("--adopt", adopt_, "List what printed commands have written to DIR, and run nothing");
    app().footer("What stands behind -- are options of ncu, which take the place of opcov's own.");
    add_example("opcov profile --missing report.json --records opcov-records --snapshots opcov-records/snapshots");
    add_example("opcov profile --missing report.json --records opcov-records");
  }

  void set_rest(std::vector<std::string> rest) override { ncu_.options = std::move(rest); }

  int run() override {
    refuse_digests(request_.records, "--records");
    refuse_digests(request_.snapshots, "--snapshots");
    if (request_.digests.empty() && request_.report.empty())
      throw bad_input("profile: nothing is named to be profiled; give digests, or --missing REPORT.json");
    if (dry_run_ && adopt_) throw bad_input("profile: --dry-run prints, and --adopt lists; give one of them");
    ncu_.check();
    if (dir_.find('%') != std::string::npos)
      throw bad_input("profile: -o " + dir_ +
                      ": ncu takes % in a file's name for a sign of its own; name another folder");
    ncu_.replay = beside_this("opcov-replay");
    ncu_.records = request_.records;
    const ProfileTargets found = find_profile_targets(request_);
    if (!dry_run_) make_folder();
    if (manifest_.empty()) manifest_ = dir_ + "/inputs.jsonl";
    returns_input_ = found.returns_input;
    const int status = dry_run_ ? print_commands(found.targets) : profile_all(found.targets);
    for (const std::string& problem : found.problems) print_error("gave no inputs: " + problem);
    return status == 0 && !found.problems.empty() ? static_cast<int>(ExitCode::kNo) : status;
  }

 private:
  void make_folder() const {
    std::error_code code;
    std::filesystem::create_directories(dir_, code);
    if (code) throw bad_input(dir_ + ": cannot make this folder: " + code.message());
  }

  std::string name_in_dir(const ProfileTarget& target) const {
    return input_name(target.signature.stage, target.rank, target.signature.digest);
  }

  std::string profile_of(const ProfileTarget& target) const { return dir_ + "/" + name_in_dir(target) + ".ncu-rep"; }

  /// The same while ncu writes it, which puts its suffix behind any other one.
  std::string part_of(const ProfileTarget& target) const { return dir_ + "/." + name_in_dir(target) + ".part.ncu-rep"; }

  /// Why the profile cannot get its name; empty where it can.
  std::string in_the_way(const std::string& profile, const ProfileManifest& manifest) const {
    std::error_code code;
    const auto there = std::filesystem::symlink_status(profile, code);
    if (!std::filesystem::exists(there)) return {};
    if (!std::filesystem::is_regular_file(there)) return profile + ": is not a regular file; move it away";
    if (force_ || manifest.lists(profile)) return {};
    return profile + ": exists, and " + manifest_ +
           " does not list it; move it away, or give --force to replace it, or --adopt to list it as this call's "
           "profile";
  }

  int print_commands(const std::vector<ProfileTarget>& targets) {
    for (const ProfileTarget& target : targets) print_command(target);
    return 0;
  }

  /// As a script: what is no command is a comment.
  void print_command(const ProfileTarget& target) {
    if (!target.refusal.empty()) return print_line("# " + name_of(target) + ": " + target.refusal);
    // Whoever runs them elsewhere needs the folder there.
    if (!std::exchange(folder_printed_, true)) print_output(shell_text({"mkdir", "-p", "--", dir_}) + "\n");
    print_line("# " + name_of(target) + (target.snapshot.empty() ? ", made inputs" : ", " + target.snapshot));
    print_output(shell_text(ncu_.line(target, profile_of(target), force_)) + "\n");
  }

  int profile_all(const std::vector<ProfileTarget>& targets) {
    ProfileManifest manifest(manifest_);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const ProfileTarget& target = targets[i];
      const std::string profile = profile_of(target);
      if (!target.refusal.empty()) {
        fail(target, target.refusal);
        continue;
      }
      if (manifest.has(target.signature, profile)) {
        ++there_;
        continue;
      }
      if (adopt_) {
        adopt(target, profile, manifest);
        continue;
      }
      if (const std::string reason = in_the_way(profile, manifest); !reason.empty()) {
        fail(target, reason);
        continue;
      }
      // Its file is gone: whatever comes of this, the manifest names no file that is not there.
      if (std::error_code code; !std::filesystem::exists(profile, code) && manifest.lists(profile))
        manifest.remove(profile);
      print_command(target);
      std::string problem;
      try {
        problem = profile_one(target, profile);
      } catch (const Error& error) {
        if (error.code() != ExitCode::kBadInput) throw;
        return without_ncu(error.what(), {targets.begin() + static_cast<std::ptrdiff_t>(i) + 1, targets.end()});
      }
      if (stopped_by_ != 0) return stop(targets.size() - i);
      if (!problem.empty()) {
        fail(target, problem);
        continue;
      }
      manifest.add(target.signature, profile);
      ++profiled_;
    }
    print_line(account(targets.size()));
    for (const std::string& failure : failures_) print_error((adopt_ ? "not added: " : "not profiled: ") + failure);
    return static_cast<int>(failures_.empty() ? ExitCode::kDone : ExitCode::kNo);
  }

  void adopt(const ProfileTarget& target, const std::string& profile, ProfileManifest& manifest) {
    if (!has_content(profile)) return fail(target, profile + ": no such file, or an empty one");
    manifest.add(target.signature, profile);
    ++profiled_;
  }

  /// What went wrong; nothing where there is a profile now. Throws Error (kBadInput) where ncu cannot be started.
  std::string profile_one(const ProfileTarget& target, const std::string& profile) {
    const std::string part = part_of(target);
    // A recording would be one of the replay.
    const ChildEnd end = run_child(ncu_.line(target, part, /*overwrite=*/true), {{"OPCOV", "0"}});
    std::error_code code;
    if (end.status == 0 && end.signal == 0 && has_content(part)) {
      std::filesystem::rename(part, profile, code);
      return code ? part + ": cannot be renamed to " + profile + ": " + code.message() : "";
    }
    stopped_by_ = end.signal;
    // Nobody is to take it for a whole one.
    std::filesystem::remove(part, code);
    if (end.status > kSignalled) return "ncu was ended by signal " + std::to_string(end.status - kSignalled);
    if (end.status != 0) return "ncu ended with status " + std::to_string(end.status);
    return "ncu wrote no report: no kernel ran in range " + target.range +
           "; it takes a GPU, and an opcov-replay that was built with CUDA";
  }

  void fail(const ProfileTarget& target, const std::string& reason) {
    failures_.push_back(name_of(target) + ": " + reason);
  }

  int without_ncu(const std::string& reason, const std::vector<ProfileTarget>& rest) {
    print_commands(rest);
    print_error(reason +
                ". Nothing of this was run: install Nsight Compute, name it by --ncu PATH, or run the commands "
                "above where it is, and then this one with --adopt");
    return static_cast<int>(ExitCode::kFailure);
  }

  int stop(std::size_t left) const {
    print_error("stopped by signal " + std::to_string(stopped_by_) + "; " + std::to_string(profiled_) + " profiled, " +
                std::to_string(left) + " left: the same command goes on there");
    return kSignalled + stopped_by_;
  }

  std::string account(std::size_t all) const {
    std::string text = counted(all, "signature") + ": " + std::to_string(profiled_) + (adopt_ ? " added" : " profiled");
    if (there_ > 0) text += ", " + std::to_string(there_) + " there before";
    if (!failures_.empty()) text += ", " + std::to_string(failures_.size()) + (adopt_ ? " not there" : " not profiled");
    if (returns_input_ > 0) text += "; left out: " + std::to_string(returns_input_) + " that ran no kernel";
    return text + "; see " + manifest_;
  }

  ProfileRequest request_;
  std::string dir_ = "opcov-profiles";
  std::string manifest_;
  NcuCommand ncu_;
  bool force_ = false;
  bool folder_printed_ = false;
  bool dry_run_ = false;
  bool adopt_ = false;
  std::size_t returns_input_ = 0;
  std::size_t profiled_ = 0;
  std::size_t there_ = 0;
  int stopped_by_ = 0;
  std::vector<std::string> failures_;
};

}  // namespace

std::unique_ptr<Command> make_profile_command(CLI::App& parent) { return std::make_unique<ProfileCommand>(parent); }

}  // namespace opcov
