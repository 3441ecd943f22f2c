// `opcov summary --json` and `opcov verify --json`: what the text says, for programs.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "format/counts_writer.h"
#include "format/strict_json.h"
#include "report/summary_json.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::Outcome;
using test::signature_line;

Json json_of(const Coverage& coverage) {
  std::string text;
  write_summary_json(coverage, [&](std::string_view piece) { text += piece; });
  return parse_strict(text);
}

Signature signature(int rows, const std::string& stage) { return make_signature(parse_strict(linear(rows, stage))); }

// The same as summary_test.cc's, whose text says 75.0 %, 32.0 k and so on of it; and an operator without a formula.
Coverage made_up() {
  Coverage coverage;
  coverage.rows.push_back({signature(1, "dit"), 600, {{0, 600}}, false, {{"a.pt", ""}}});
  coverage.rows.push_back({signature(2, "dit"), 200, {{0, 200}}, false, {}});
  coverage.rows.push_back({signature(3, "vae"), 150, {{0, 150}}, true, {}});
  Json unknown = parse_strict(linear(1, "vae"));
  unknown["op"] = "aten.einsum.default";
  coverage.rows.push_back({make_signature(std::move(unknown)), 250, {{2, 250}}, false, {}});
  coverage.calls = 1200;
  coverage.ranks = {0, 2};
  coverage.world_size = 4;
  coverage.manifests = 1;
  coverage.snapshots = 1;
  coverage.sources.resize(2);
  coverage.remarks.unrecorded = 5;
  return coverage;
}

TEST(SummaryJson, HasTheTotalsOfTheText) {
  const Json json = json_of(made_up());
  EXPECT_EQ(json["format"], "opcov-summary");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["files"], 2);
  EXPECT_EQ(json["ranks"], Json::parse("[0,2]"));
  EXPECT_EQ(json["missing_ranks"], Json::parse("[1,3]"));
  EXPECT_EQ(json["inputs"], 1);
  EXPECT_EQ(json["total"], Json::parse(R"({"signatures":4,"calls":1200,"no_kernel_calls":150,"covered_signatures":1,)"
                                       R"("covered_calls":600,"flops":32000,"covered_flops":19200,)"
                                       R"("unknown_flops_signatures":1,"unknown_flops_calls":250})"));
  EXPECT_EQ(json["operators"],
            Json::parse(R"([{"stage":"dit","op":"aten.linear.default","signatures":2,"calls":800,"no_kernel_calls":0,)"
                        R"("covered_signatures":1,"covered_calls":600,"flops":32000,"covered_flops":19200,)"
                        R"("unknown_flops_signatures":0,"unknown_flops_calls":0},)"
                        R"({"stage":"vae","op":"aten.einsum.default","signatures":1,"calls":250,"no_kernel_calls":0,)"
                        R"("covered_signatures":0,"covered_calls":0,"flops":0,"covered_flops":0,)"
                        R"("unknown_flops_signatures":1,"unknown_flops_calls":250},)"
                        R"({"stage":"vae","op":"aten.linear.default","signatures":1,"calls":150,)"
                        R"("no_kernel_calls":150,"covered_signatures":0,"covered_calls":0,"flops":0,)"
                        R"("covered_flops":0,"unknown_flops_signatures":0,"unknown_flops_calls":0}])"));
  EXPECT_EQ(json["remarks"], Json::parse(R"({"notices":[],"raised":{},"unrecorded":5,"no_clean_end":[]})"));
}

TEST(SummaryJson, ListsEverySignatureByItsCalls) {
  const Json json = json_of(made_up());
  const Json& rows = json["signatures"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], Json::parse(R"({"signature_sha256":")" + signature(1, "dit").digest +
                                 R"(","stage":"dit","call":"linear(bf16[1,4], bf16[4,4]) -> bf16[1,4]","calls":600,)"
                                 R"("flops":32,"bytes":48,"covered":true,"returns_input":false})"));
  EXPECT_EQ(rows[1]["calls"], 250);
  EXPECT_EQ(rows[1]["flops"], nullptr);
  EXPECT_EQ(rows[1]["bytes"], nullptr);
  EXPECT_EQ(rows[1]["covered"], false);
  EXPECT_EQ(rows[2]["calls"], 200);
  EXPECT_EQ(rows[3]["covered"], nullptr);  // ran no kernel
  EXPECT_EQ(rows[3]["returns_input"], true);
}

TEST(SummaryJson, WithoutInputsKnowsNothingOfCoverage) {
  Coverage coverage = made_up();
  coverage.manifests = 0;
  const Json json = json_of(coverage);
  EXPECT_EQ(json["inputs"], nullptr);
  for (const char* key : {"covered_signatures", "covered_calls", "covered_flops"}) {
    EXPECT_EQ(json["total"][key], nullptr);
    EXPECT_EQ(json["operators"][0][key], nullptr);
  }
  for (const Json& row : json["signatures"]) EXPECT_EQ(row["covered"], nullptr);
}

TEST(SummaryJson, AgreesWithTheGoldenReport) {
  const Outcome outcome = test::shell("$OPCOV summary records --inputs inputs.jsonl --json", test::golden(""));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json json = parse_strict(outcome.out);
  const Json report = parse_strict(test::read_file(test::golden("expected_report.json")));
  std::map<std::string, const Json*> rows;
  for (const Json& row : report["rows"]) rows[row["signature_sha256"]] = &row;
  ASSERT_EQ(json["signatures"].size(), rows.size());
  for (const Json& row : json["signatures"]) {
    const Json& expected = *rows.at(row["signature_sha256"]);
    EXPECT_EQ(row["calls"], expected["calls"]);
    EXPECT_EQ(row["stage"], expected["signature"]["stage"]);
    EXPECT_EQ(row["covered"], !expected["same_structural_signature_ncu_inputs"].empty());
  }
  std::map<std::string, std::uint64_t> calls;
  std::map<std::string, std::uint64_t> covered;
  for (const Json& op : json["operators"]) {
    calls[op["stage"]] += op["calls"].get<std::uint64_t>();
    covered[op["stage"]] += op["covered_calls"].get<std::uint64_t>();
  }
  for (const Json& stage : report["stages"]) {
    EXPECT_EQ(calls[stage["stage"]], stage["recorded_calls"]);
    EXPECT_EQ(covered[stage["stage"]], stage["calls_with_structurally_matching_prior_input"]);
  }
  EXPECT_EQ(json["files"], report["sources"].size());
  EXPECT_EQ(json["ranks"], Json::parse("[0,1,2,3]"));
  EXPECT_EQ(json["inputs"], 31);
}

class VerifyJson : public testing::Test {
 protected:
  Json files(const std::string& arguments, int status) {
    const Outcome outcome = test::shell("$OPCOV verify --json " + arguments, dir_.path());
    EXPECT_EQ(outcome.status, status) << outcome.err;
    err_ = outcome.err;
    const Json json = parse_strict(outcome.out);
    EXPECT_EQ(json["format"], "opcov-verify");
    EXPECT_EQ(json["version"], 1);
    return json["files"];
  }

  test::TempDir dir_;
  std::string err_;
  const std::string killed_ = header() + signature_line(0, linear(1)) + calls_line("\"0\":7");
};

TEST_F(VerifyJson, SaysHowEachFileEnded) {
  dir_.write("a_clean.jsonl", killed_ + kEnd);
  dir_.write("b_killed.jsonl", killed_);
  CountsWriter(dir_.path("b_killed.counts"), 1).add_block(0)->counts[0] = 9;
  dir_.write("c_empty.jsonl", "");
  dir_.write("d_joined.jsonl", killed_ + header(3) + signature_line(0, linear(1)) + calls_line("\"0\":7") + kEnd);
  const Json files = this->files("?_*.jsonl", 0);
  EXPECT_EQ(err_, "");
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(files[0],
            Json::parse(R"({"path":"a_clean.jsonl","ok":true,"problems":[],"warnings":[],"segments":1,"ranks":[0],)"
                        R"("signatures":1,"calls":7,"endings":{"clean":1,"sidecar":0,"cut":0}})"));
  EXPECT_EQ(files[1]["warnings"],
            Json::parse(R"([{"path":"b_killed.jsonl","line":null,"text":"no end line: the program was killed or )"
                        R"(still runs; counts are from the sidecar"}])"));
  EXPECT_EQ(files[1]["calls"], 9);
  EXPECT_EQ(files[1]["endings"], Json::parse(R"({"clean":0,"sidecar":1,"cut":0})"));
  EXPECT_EQ(files[2]["segments"], 0);
  EXPECT_EQ(files[2]["ranks"], Json::array());
  EXPECT_EQ(files[3]["segments"], 2);
  EXPECT_EQ(files[3]["ranks"], Json::parse("[0,3]"));
  EXPECT_EQ(files[3]["signatures"], 2);
  EXPECT_EQ(files[3]["calls"], 14);
  EXPECT_EQ(files[3]["endings"], Json::parse(R"({"clean":1,"sidecar":0,"cut":1})"));
}

TEST_F(VerifyJson, ListsProblemsWithTheirLines) {
  dir_.write("r/metadata_rank0_pid1.jsonl", header() + "{\"record\":\"\xff\"}\n" + calls_line("\"4\":7") + kEnd);
  const Json files = this->files("r", 1);
  EXPECT_EQ(err_, "");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0]["ok"], false);
  const Json& problems = files[0]["problems"];
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0]["path"], "r/metadata_rank0_pid1.jsonl");
  EXPECT_EQ(problems[0]["line"], 2);
  EXPECT_EQ(problems[1]["line"], 3);
  // As the text has them.
  std::string text;
  for (const Json& problem : problems)
    text += problem["path"].get<std::string>() + ":" + problem["line"].dump() + ": " +
            problem["text"].get<std::string>() + "\n";
  EXPECT_TRUE(test::shell("$OPCOV verify r", dir_.path()).out.starts_with(text)) << text;
}

TEST_F(VerifyJson, CountsThatNoSignatureHasAreAProblemToo) {
  dir_.write("r/metadata_rank0_pid1.jsonl", header() + signature_line(0, linear(1)));
  CountsWriter writer(dir_.path("r/metadata_rank0_pid1.counts"), 1);
  writer.add_block(0)->counts[4] = 2;
  const Json files = this->files("r", 1);
  EXPECT_EQ(files[0]["ok"], false);
  ASSERT_EQ(files[0]["problems"].size(), 1u);
  EXPECT_EQ(files[0]["problems"][0]["path"], "r/metadata_rank0_pid1.counts");
}

TEST_F(VerifyJson, GoesOnAfterAFileThatCannotBeRead) {
  std::filesystem::create_directories(dir_.path("r/metadata_rank0_pid1.jsonl"));
  dir_.write("r/metadata_rank1_pid2.jsonl", killed_ + kEnd);
  const Json files = this->files("r", 2);
  ASSERT_EQ(files.size(), 2u);
  const std::string problem = files[0]["problems"][0]["text"];
  EXPECT_TRUE(problem.starts_with("is a folder where a file is asked for")) << problem;
  EXPECT_EQ(files[0],
            (Json{{"path", "r/metadata_rank0_pid1.jsonl"},
                  {"ok", false},
                  {"problems", {{{"path", "r/metadata_rank0_pid1.jsonl"}, {"line", nullptr}, {"text", problem}}}}}));
  EXPECT_EQ(err_, "opcov: r/metadata_rank0_pid1.jsonl: " + problem + "\n");
  EXPECT_EQ(files[1]["ok"], true);
}

TEST_F(VerifyJson, ANameThatIsNoUtf8StandsInNoJson) {
  dir_.write("s/metadata_\xff.jsonl", killed_);
  for (const char* command : {"verify", "summary"}) {
    const Outcome outcome = test::shell(std::string("$OPCOV ") + command + " --json s", dir_.path());
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.ends_with("this name is no UTF-8 and cannot stand in JSON; rename the file\n"))
        << outcome.err;
  }
}

}  // namespace
}  // namespace opcov
