// Which profiled inputs are nearest to an uncovered call, and how the difference is told.
#include "report/near_misses.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "support.h"

namespace opcov {
namespace {

std::vector<Json> lines_of(const std::string& name) {
  std::vector<Json> lines;
  std::istringstream text(test::read_file(test::golden(name)));
  for (std::string line; std::getline(text, line);) lines.push_back(parse_strict(line));
  return lines;
}

// The manifest has the calls of a record in the record's order, but for those of the first stage.
std::map<std::size_t, std::size_t> golden_pairs() {
  std::map<std::size_t, std::size_t> pairs = {{0, 3}, {1, 4}, {2, 5},  {3, 6},  {4, 7},
                                              {5, 8}, {7, 9}, {9, 10}, {10, 11}};
  for (std::size_t i = 12; i < 31; ++i) pairs[i] = i;
  return pairs;
}

TEST(NearMisses, EachMadeUpInputOfTheGoldenCaseIsTheNearestOfItsRow) {
  SnapshotIndex inputs;
  inputs.add_manifest(test::golden("inputs.jsonl"));
  NearMisses near_misses(inputs);
  std::vector<Json> calls;
  for (Json& line : lines_of("records/metadata_rank0_pid1893179.jsonl"))
    if (line["record"] == "signature") calls.push_back(std::move(line["signature"]));
  ASSERT_EQ(calls.size(), 31u);
  const auto pairs = golden_pairs();
  ASSERT_EQ(pairs.size(), 28u);
  for (const auto& [call, input] : pairs) {
    const std::vector<NearMiss> nearest = near_misses.of(make_signature(calls[call]));
    ASSERT_EQ(nearest.size(), call == 12 || call == 13 ? 2u : 3u);
    EXPECT_EQ(nearest.front().input, inputs[input]) << call;
    EXPECT_FALSE(nearest.front().differences.empty());
  }
}

std::string tensor(const std::string& dtype, const std::string& shape, const std::string& stride) {
  return R"({"dtype":"torch.)" + dtype + R"(","shape":)" + shape + R"(,"stride":)" + stride + "}";
}

std::string call(const std::string& args, const std::string& kwargs = "{}", const std::string& stage = "s") {
  return R"({"args":[)" + args + R"(],"kwargs":)" + kwargs + R"(,"op":"aten.f.default","output":null,"stage":")" +
         stage + "\"}";
}

// The differences of a call from the only input.
std::vector<std::string> told(const std::string& run, const std::string& snapshot) {
  SnapshotIndex inputs;
  inputs.add({"a.pt", ""}, parse_strict(snapshot));
  std::vector<std::string> texts;
  for (const NearMiss& miss : NearMisses(inputs).of(make_signature(parse_strict(run))))
    for (const Difference& difference : miss.differences) texts.push_back(difference.text());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Difference, IsToldInWords) {
  const std::string whole = tensor("float32", "[1,4,8]", "[32,8,1]");
  const std::vector<std::tuple<std::string, std::string, Texts>> all = {
      {call(whole), call(tensor("float32", "[1,5,8]", "[40,8,1]")), {"arg 0 dim 1: 4 in the run, 5 in the snapshot"}},
      {call(tensor("float32", "[1,4,8]", "[96,8,1]")),
       call(whole),
       {"arg 0 stride: a slice of a longer dim 1 (4 of 12) in the run, contiguous in the snapshot"}},
      {call(tensor("float32", "[1,4,8]", "[96,8,1]")),
       call(tensor("float32", "[1,4,8]", "[48,8,1]")),
       {"arg 0 stride: a slice of a longer dim 1 (4 of 12) in the run, a slice of a longer dim 1 (4 of 6) in the "
        "snapshot"}},
      {call(tensor("float32", "[3,4]", "[1,3]")),
       call(tensor("float32", "[3,4]", "[0,1]")),
       {"arg 0 stride: transposed (dims in memory: 1, 0) in the run, expanded along dim 0 in the snapshot"}},
      {call(tensor("float32", "[2,3,4,5]", "[60,1,15,3]")),
       call(tensor("float32", "[2,3,4,5]", "[60,20,5,1]")),
       {"arg 0 stride: channels last in the run, contiguous in the snapshot"}},
      {call(whole),
       call(tensor("float16", "[1,4,8]", "[32,8,1]")),
       {"arg 0 dtype: f32 in the run, f16 in the snapshot"}},
      {call(whole),
       call(tensor("float32", "[4,8]", "[8,1]")),
       {"arg 0 dimensions: 3 [1,4,8] in the run, 2 [4,8] in the snapshot"}},
      {call(whole),
       call(R"({"dtype":"torch.float32","layout":"torch.sparse_csr","shape":[1,4,8]})"),
       {"arg 0 layout: contiguous in the run, sparse_csr in the snapshot"}},
      {call(whole + "," + whole), call(whole), {"arg 1: f32[1,4,8] in the run, missing in the snapshot"}},
      {call(whole + ",null"), call(whole + "," + whole), {"arg 1: None in the run, f32[1,4,8] in the snapshot"}},
      {call("[" + whole + "," + whole + "]"),
       call("[" + whole + "]"),
       {"arg 0 items: 2 in the run, 1 in the snapshot"}},
      {call(whole + ",[1,1]"), call(whole), {"arg 1: [1, 1] in the run, missing in the snapshot"}},
      {call(whole),
       call(whole + ",[[1],[2,3]]"),
       {"arg 1: missing in the run, [[1], [2, 3]] in the snapshot (a snapshot leaves out trailing defaults, as the run "
        "does)"}},
      {call(whole + ",1"),
       call(whole, R"({"p":1})"),
       {"arg 1: 1 in the run, missing in the snapshot",
        "kwarg p: missing in the run, 1 in the snapshot (a snapshot leaves out defaults, and has by position what the "
        "run has so)"}},
      {call(whole + ",[1,1]"), call(whole + ",null"), {"arg 1: [1, 1] in the run, None in the snapshot"}},
      {call("null,[8,8]"),
       call("[2.0],null"),
       {"arg 0: None in the run, [2.0] in the snapshot", "arg 1: [8, 8] in the run, None in the snapshot"}},
      {call("[[1,2],3]"), call("[4,3]"), {"arg 0[0]: [1, 2] in the run, 4 in the snapshot"}},
      {call("[[1,2],3]"), call("[[1],3]"), {"arg 0[0] items: 2 in the run, 1 in the snapshot"}},
      {call("[" + whole + "]"), call(whole), {"arg 0: [f32[1,4,8]] in the run, f32[1,4,8] in the snapshot"}},
      {call(whole, R"({"k":[]})"), call(whole), {"kwarg k: [] in the run, missing in the snapshot"}},
      {call(tensor("float32", "[1,3,4,5]", "[60,1,15,3]")),
       call(tensor("float32", "[1,3,4,5]", "[60,20,5,1]")),
       {"arg 0 stride: channels last in the run, contiguous in the snapshot"}},
      {call(tensor("float32", "[1,2,4,4,4]", "[128,1,32,8,2]")),
       call(tensor("float32", "[1,2,4,4,4]", "[128,64,16,4,1]")),
       {"arg 0 stride: channels last in the run, contiguous in the snapshot"}},
      {call(tensor("float32", "[2,3,1,5]", "[15,1,15,3]")),
       call(tensor("float32", "[2,3,1,5]", "[15,5,5,1]")),
       {"arg 0 stride: channels last in the run, contiguous in the snapshot"}},
      {call(tensor("float32", "[1,3,4]", "[12,1,3]")),
       call(tensor("float32", "[1,3,4]", "[12,4,1]")),
       {"arg 0 stride: transposed (dims in memory: 2, 1) in the run, contiguous in the snapshot"}},
      {call("1"), call("1.0"), {"arg 0: 1 in the run, 1.0 in the snapshot"}},
      {call("[1,2,3]"), call("[1,5,3]"), {"arg 0[1]: 2 in the run, 5 in the snapshot"}},
      {call(R"({"dict":[["k",1]]})"), call(R"({"dict":[["k",2]]})"), {"arg 0[0][1]: 1 in the run, 2 in the snapshot"}},
      {call(whole, R"({"dtype":"torch.uint8"})"),
       call(whole, R"({"dtype":"torch.bool"})"),
       {"kwarg dtype: u8 in the run, bool in the snapshot"}},
      {call(whole, R"({"p":0.5})"), call(whole), {"kwarg p: 0.5 in the run, missing in the snapshot"}},
      {call(whole), call(whole, "{}", "t"), {"stage only: \"s\" in the run, \"t\" in the snapshot"}},
      {call("1"),
       call("2", "{}", "t"),
       {"arg 0: 1 in the run, 2 in the snapshot", "stage: \"s\" in the run, \"t\" in the snapshot"}},
  };
  for (const auto& [run, snapshot, texts] : all) EXPECT_EQ(told(run, snapshot), texts);
}

TEST(Difference, WhatASnapshotLeavesOpenDiffersInNothing) {
  Json open = parse_strict(call("1"));
  open.erase("output");
  open.erase("stage");
  EXPECT_EQ(told(call("2"), open.dump()), (Texts{"arg 0: 2 in the run, 1 in the snapshot"}));
}

// The names of the inputs, nearest first.
std::string order(const std::string& run, const std::vector<std::string>& snapshots) {
  SnapshotIndex inputs;
  for (std::size_t i = 0; i < snapshots.size(); ++i)
    inputs.add({std::string(1, static_cast<char>('a' + i)), ""}, parse_strict(snapshots[i]));
  std::string names;
  for (const NearMiss& miss : NearMisses(inputs).of(make_signature(parse_strict(run)), snapshots.size()))
    names += miss.input.input;
  return names;
}

TEST(NearMisses, AreRankedByWhatMakesAKernelChooseDifferently) {
  const std::string run = call(tensor("float32", "[2,4,8]", "[32,8,1]") + ",1");
  const std::string stage = call(tensor("float32", "[2,4,8]", "[32,8,1]") + ",1", "{}", "t");
  const std::string value = call(tensor("float32", "[2,4,8]", "[32,8,1]") + ",2");
  const std::string size = call(tensor("float32", "[2,5,8]", "[40,8,1]") + ",1");
  const std::string sizes = call(tensor("float32", "[3,5,9]", "[45,9,1]") + ",1");
  const std::string layout = call(tensor("float32", "[2,4,8]", "[64,8,1]") + ",1");
  const std::string dimensions = call(tensor("float32", "[8,8]", "[8,1]") + ",1");
  const std::string dtype = call(tensor("float16", "[2,4,8]", "[32,8,1]") + ",1");
  EXPECT_EQ(order(run, {stage, value, size, sizes, layout, dimensions, dtype}), "abcdefg");
  EXPECT_EQ(order(run, {dtype, dimensions, layout, sizes, size, value, stage}), "gfedcba");
}

TEST(NearMisses, OfEqualOnesTheFirstComesFirstAndOtherOperatorsAreNotNear) {
  EXPECT_EQ(order(call("1"), {call("2"), call("3"), call("2"), call("4")}), "abd");
  Json other = parse_strict(call("1"));
  other["op"] = "aten.g.default";
  EXPECT_EQ(order(other.dump(), {call("1")}), "");
}

TEST(NearMisses, AreFoundInALargeGroupWhereOneSizeDiffers) {
  SnapshotIndex inputs;
  const auto sizes = [](int i, int j) {
    const std::string inner = std::to_string(j);
    return tensor("float32", "[" + std::to_string(i) + "," + inner + "]", "[" + inner + ",1]");
  };
  for (int i = 1; i <= 40; ++i)
    for (int j = 1; j <= 40; ++j)
      inputs.add({std::to_string(i * 10) + "x" + std::to_string(j * 10), ""},
                 parse_strict(call(sizes(i * 10, j * 10) + "," + sizes(j * 10, i * 10))));
  NearMisses near_misses(inputs);
  const auto nearest = [&](const std::string& arguments) {
    return near_misses.of(make_signature(parse_strict(call(arguments))), 1).front().input.input;
  };
  for (int i = 10; i <= 400; i += 70)
    for (int j = 10; j <= 400; j += 70) {
      const std::string name = std::to_string(i) + "x" + std::to_string(j);
      EXPECT_EQ(nearest(sizes(i, j) + "," + sizes(j + 1, i)), name);
      EXPECT_EQ(nearest(sizes(i + 1, j) + "," + sizes(j, i)), name);
    }
}

}  // namespace
}  // namespace opcov
