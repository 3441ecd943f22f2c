// Manifests: what matches, and what is refused.
#include "format/manifest.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support.h"

namespace opcov {
namespace {

using test::linear;

const std::string kDigest(64, 'a');

std::string line(const std::string& input, const std::string& signature, const std::string& digest = kDigest) {
  return "{\"input\":\"" + input + "\",\"input_sha256\":\"" + digest + "\",\"signature\":" + signature + "}\n";
}

std::string without(const std::string& signature, const std::vector<std::string>& keys) {
  Json value = parse_strict(signature);
  for (const std::string& key : keys) value.erase(key);
  return value.dump();
}

std::vector<std::string> inputs(const SnapshotIndex& index, const std::string& signature) {
  std::vector<std::string> names;
  for (const ProfiledInput& snapshot : index.matches(make_signature(parse_strict(signature))))
    names.push_back(snapshot.input);
  return names;
}

using Names = std::vector<std::string>;

TEST(Manifest, WhatALineStatesHasToBeEqual) {
  const test::TempDir dir;
  SnapshotIndex index;
  index.add_manifest(dir.write("m", line("both", without(linear(1), {"output", "stage"})) + line("full", linear(1)) +
                                        line("no_output", without(linear(1), {"output"})) +
                                        line("no_stage", without(linear(1), {"stage"})) + line("other", linear(2))));
  EXPECT_EQ(inputs(index, linear(1)), (Names{"both", "full", "no_output", "no_stage"}));
  EXPECT_EQ(inputs(index, linear(1, "vae")), (Names{"both", "no_stage"}));
  EXPECT_EQ(inputs(index, linear(2)), (Names{"other"}));
  EXPECT_EQ(inputs(index, linear(3)), Names{});
  EXPECT_EQ(index.size(), 5u);
}

TEST(Manifest, ANullOutputAndAnEmptyStageAreStatements) {
  const test::TempDir dir;
  Json no_output = parse_strict(linear(1));
  no_output["output"] = nullptr;
  SnapshotIndex index;
  index.add_manifest(dir.write("m", line("null", no_output.dump()) + line("empty", linear(1, ""))));
  EXPECT_EQ(inputs(index, linear(1)), Names{});
  EXPECT_EQ(inputs(index, no_output.dump()), (Names{"null"}));
  EXPECT_EQ(inputs(index, linear(1, "")), (Names{"empty"}));
}

TEST(Manifest, DevicesDoNotMatter) {
  const test::TempDir dir;
  SnapshotIndex index;
  index.add_manifest(dir.write("m", line("a", linear(1, "dit", "cuda:5"))));
  EXPECT_EQ(inputs(index, linear(1, "dit", "")), (Names{"a"}));
}

TEST(Manifest, MatchesStandInManifestOrderAndOnce) {
  const test::TempDir dir;
  SnapshotIndex index;
  index.add_manifest(dir.write("m", line("b", linear(1)) + "\n" + line("a", without(linear(1), {"stage"}))));
  index.add_manifest(
      dir.write("n", line("a", linear(1)) + line("c", linear(1)) + line("b", linear(1), std::string(64, 'b'))));
  EXPECT_EQ(inputs(index, linear(1)), (Names{"b", "a", "c", "b"}));  // the last b is another file's digest
  EXPECT_EQ(index.manifests(), 2u);
}

TEST(Manifest, ADigestThatIsNotThereIsNoOtherDigest) {
  const test::TempDir dir;
  const auto undigested = [](const std::string& input) {
    return "{\"input\":\"" + input + "\",\"input_sha256\":null,\"signature\":" + linear(1) + "}\n";
  };
  SnapshotIndex index;
  index.add_manifest(dir.write("m", undigested("a") + "{\"input\":\"b\",\"signature\":" + linear(1) + "}\n" +
                                        line("a", linear(1)) + line("c", linear(1)) + undigested("c") +
                                        line("a", linear(1), std::string(64, 'b'))));
  const std::vector<ProfiledInput> expected = {{"a", kDigest}, {"b", ""}, {"c", kDigest}, {"a", std::string(64, 'b')}};
  EXPECT_EQ(index.matches(make_signature(parse_strict(linear(1)))), expected);
}

TEST(Manifest, NamesFileAndLineOfWhatIsMalformed) {
  const test::TempDir dir;
  const std::string upper = std::string(63, 'a') + "A";
  const std::vector<std::string> bad = {
      line("a", linear(1), "abc"),
      line("a", linear(1), upper),
      "{\"input\":\"a\",\"input_sha256\":1,\"signature\":" + linear(1) + "}\n",
      line("a", "{}"),
      line("a", "[]"),
      line("", linear(1)),
      line("a", without(linear(1), {"args"})),
      line("a", "{\"args\":[],\"kwargs\":{},\"op\":\"x\",\"extra\":1}"),
      "{\"input\":\"a\",\"input_sha256\":\"" + kDigest + "\"}\n",
      "{\"input\":\"a\"",
      "[]\n",
      "junk\n",
      "{\"input\":1,\"input_sha256\":\"" + kDigest + "\",\"signature\":" + linear(1) + "}\n"};
  for (const std::string& text : bad) {
    SnapshotIndex index;
    const std::string path = dir.write("m", line("good", linear(1)) + text);
    try {
      index.add_manifest(path);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      EXPECT_TRUE(std::string(error.what()).starts_with(path + ":2: ")) << error.what();
    }
  }
}

}  // namespace
}  // namespace opcov
