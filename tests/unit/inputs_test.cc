// `--inputs`: manifests, snapshots and folders of them, in any mixture.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/sha256.h"
#include "format/strict_json.h"
#include "snapshot_support.h"
#include "support.h"

namespace opcov {
namespace {

using test::Outcome;

std::string snapshot_of_sin(std::int32_t rows) {
  const std::string tensor = test::pickled_tensor(test::pickled_storage(24), 0, {rows, 6}, {6, 1});
  return test::snapshot_of(test::pickled_call_of("aten.sin.default", {tensor}));
}

std::string sin_call(int rows) {
  const std::string tensor = R"({"dtype":"torch.float32","shape":[)" + std::to_string(rows) + R"(,6],"stride":[6,1]})";
  return R"({"args":[)" + tensor + R"(],"kwargs":{},"op":"aten.sin.default","output":)" + tensor + R"(,"stage":"s"})";
}

class Inputs : public testing::Test {
 protected:
  Inputs() {
    dir_.write("r/metadata_rank0_pid1.jsonl", test::header() + test::signature_line(0, sin_call(4)) +
                                                  test::signature_line(1, sin_call(3)) +
                                                  test::calls_line("\"0\":7,\"1\":2") + test::kEnd);
    for (const char* name : {"snaps/b.pt", "snaps/a.pt", "more/c.pt"}) dir_.write(name, snapshot_of_sin(4));
    dir_.write("snaps/notes.txt", "no snapshot");
  }

  Outcome run(const std::string& arguments) { return test::shell("$OPCOV " + arguments, dir_.path()); }

  // What covers the call on four rows: "path digest", the digest shortened or "null".
  std::vector<std::string> covering(const std::string& arguments) {
    const Outcome outcome = run("report r " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const Json report = parse_strict(outcome.out);
    EXPECT_EQ(report["rows"][1]["same_structural_signature_ncu_inputs"], Json::array());
    std::vector<std::string> found;
    for (const Json& input : report["rows"][0]["same_structural_signature_ncu_inputs"]) {
      const Json& digest = input["input_sha256"];
      const std::string shown = digest.is_null() ? "null" : digest.get<std::string>().substr(0, 8);
      found.push_back(input["input"].get<std::string>() + " " + shown);
    }
    return found;
  }

  test::TempDir dir_;
  const std::string digest_ = sha256_hex(snapshot_of_sin(4)).substr(0, 8);
};

using Names = std::vector<std::string>;

TEST_F(Inputs, AFolderIsIndexedInTheOrderOfItsPaths) {
  EXPECT_EQ(covering("--inputs snaps"), (Names{"snaps/a.pt " + digest_, "snaps/b.pt " + digest_}));
  EXPECT_EQ(covering("--inputs 'snaps/*.pt'"), covering("--inputs snaps"));
}

TEST_F(Inputs, ManifestsAndFoldersStandInTheOrderOfTheCommandLine) {
  ASSERT_EQ(run("index snaps/b.pt more -o m.jsonl").status, 0);
  const Names manifest_first = {"more/c.pt " + digest_, "snaps/b.pt " + digest_, "snaps/a.pt " + digest_};
  EXPECT_EQ(covering("--inputs m.jsonl snaps"), manifest_first);
  EXPECT_EQ(covering("--inputs m.jsonl --inputs snaps"), manifest_first);
  const Names folder_first = {"snaps/a.pt " + digest_, "snaps/b.pt " + digest_, "more/c.pt " + digest_};
  EXPECT_EQ(covering("--inputs snaps m.jsonl"), folder_first);
  EXPECT_EQ(covering("--inputs more/c.pt snaps/a.pt"), (Names{"more/c.pt " + digest_, "snaps/a.pt " + digest_}));
}

TEST_F(Inputs, DigestsMayBeLeftOut) {
  EXPECT_EQ(covering("--no-sha256 --inputs more"), (Names{"more/c.pt null"}));
  ASSERT_EQ(run("index more --no-sha256 -o m.jsonl").status, 0);
  EXPECT_EQ(covering("--inputs m.jsonl"), (Names{"more/c.pt null"}));
  EXPECT_EQ(covering("--inputs m.jsonl more"), (Names{"more/c.pt " + digest_}));
}

TEST_F(Inputs, AreTheSameToTheSummaryAndInTheScope) {
  const std::string summary = run("summary r --inputs snaps more").out;
  EXPECT_NE(summary.find("; 3 profiled inputs\n"), std::string::npos) << summary;
  EXPECT_NE(summary.find("s      sin              2      9        1         77.8 %      0              -\n"),
            std::string::npos)
      << summary;
  ASSERT_EQ(run("index more -o m.jsonl").status, 0);
  const auto scope = [&](const std::string& inputs) {
    return parse_strict(run("report r --inputs " + inputs).out)["scope"].get<std::string>();
  };
  EXPECT_NE(scope("snaps").find("2 profiled inputs from 2 snapshot files;"), std::string::npos);
  EXPECT_NE(scope("snaps m.jsonl").find("3 profiled inputs from 1 manifest and 2 snapshot files;"), std::string::npos);
}

TEST_F(Inputs, WhatCannotBeReadIsAnErrorThatNamesTheFile) {
  std::filesystem::create_directory(dir_.path("none"));
  dir_.write("bad/a.pt", "no snapshot");
  dir_.write("bad/b.pt", "no snapshot either");
  dir_.write("nameless.pt", test::snapshot_of(test::pickled_call({})));
  const std::vector<std::pair<std::string, std::string>> all = {
      {"bad", "bad/a.pt: is no file of torch.save's (and 1 more)"},
      {"bad/b.pt", "bad/b.pt: is no file of torch.save's"},
      {"nameless.pt",
       "nameless.pt: does not say of which operator it holds the inputs; name it by opcov index --op "
       "aten.linear.default"},
      {"none", "none: holds no snapshots (*.pt); name the folder in which they stand"},
      {"snaps snaps/../snaps/a.pt", "given twice"},
      {"missing.pt", "missing.pt: no such file or folder"},
  };
  for (const auto& [names, message] : all) {
    const Outcome outcome = run("report r --inputs " + names);
    EXPECT_EQ(outcome.status, 2) << names;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  }
}

TEST_F(Inputs, AReportNeverTakesTheNameOfASnapshotThatItReads) {
  const std::string before = test::read_file(dir_.path("snaps/a.pt"));
  EXPECT_EQ(run("report r --inputs snaps -o snaps/../snaps/a.pt --force").status, 2);
  EXPECT_EQ(test::read_file(dir_.path("snaps/a.pt")), before);
}

}  // namespace
}  // namespace opcov
