// Where signatures were first called: read from records, added up over them, merged, and told by `opcov explain`.
#include "report/call_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "format/record_reader.h"
#include "format/strict_json.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::Outcome;
using test::signature_line;
using test::where_line;

const std::string kWhole =
    R"({"module":"blocks.0.q","class":"Linear","root":"Net","frames":["model.py:12 Block.forward","run.py:3 <module>"],)"
    R"("left_out":5,"more":true,"backward":true})";

CallPlace at(int line) {
  CallPlace place;
  place.frames = {"run.py:" + std::to_string(line) + " main"};
  return place;
}

CallPlaces added_up(const std::vector<CallPlace>& places) {
  CallPlaces sum;
  for (const CallPlace& place : places) sum.add(place);
  return sum;
}

TEST(CallPlace, IsReadAsItIsWritten) {
  const CallPlace place = read_place(parse_strict(kWhole));
  EXPECT_EQ(place.module, "blocks.0.q");
  EXPECT_EQ(place.module_class, "Linear");
  EXPECT_EQ(place.root, "Net");
  EXPECT_EQ(place.frames, (std::vector<std::string>{"model.py:12 Block.forward", "run.py:3 <module>"}));
  EXPECT_EQ(place.left_out, 5u);
  EXPECT_TRUE(place.more_frames);
  EXPECT_TRUE(place.backward);
  EXPECT_EQ(place_json(place).dump(), kWhole);
  EXPECT_EQ(place_json(read_place(Json::object())).dump(), "{}");
  EXPECT_EQ(read_place(parse_strict(R"({"frames":["a"],"thread":{"of":"a newer minor"}})")).frames.size(), 1u);
}

TEST(CallPlace, IsToldInWords) {
  EXPECT_EQ(place_title(read_place(parse_strict(kWhole))), "blocks.0.q (Linear) in Net, in backward");
  EXPECT_EQ(place_remark(read_place(parse_strict(kWhole))), "5 frames of torch left out, more further out");
  EXPECT_EQ(place_title(read_place(parse_strict(R"({"root":"Net","left_out":1})"))), "Net");
  EXPECT_EQ(place_remark(read_place(parse_strict(R"({"root":"Net","left_out":1})"))), "1 frame of torch left out");
  EXPECT_EQ(place_title(at(1)) + place_remark(at(1)), "");
}

// Which places are kept, and with how many first calls, is the same in whatever order and grouping records come.
TEST(CallPlaces, DoNotDependOnTheOrder) {
  std::mt19937 random(11);
  for (int distinct : {1, 7, 8, 9, 30})
    for (int round = 0; round < 20; ++round) {
      std::vector<CallPlace> places;
      for (int i = 0; i < 100; ++i) places.push_back(at(1 + static_cast<int>(random() % distinct)));
      const CallPlaces before = added_up(places);
      // By hand: the first eight as texts are ordered, each as often as it is there.
      std::map<CallPlace, std::uint64_t> wanted;
      for (const CallPlace& place : places) ++wanted[place];
      EXPECT_EQ(before.more(), wanted.size() > 8);
      while (wanted.size() > 8) wanted.erase(std::prev(wanted.end()));
      EXPECT_EQ(before.all(), wanted);
      std::shuffle(places.begin(), places.end(), random);
      const CallPlaces after = added_up(places);
      EXPECT_EQ(after.all(), before.all());
      EXPECT_EQ(after.more(), before.more());
    }
}

class PlacesOfRecords : public testing::Test {
 protected:
  Outcome run(const std::string& command) { return test::shell(command, dir_.path()); }
  void write(const std::string& name, const std::string& text) { dir_.write(name, text); }

  static std::string record(int rank, int pid, const std::string& place) {
    return header(rank,
                  ",\"pid\":" + std::to_string(pid) + R"(,"host":"n","started_at":"2026-01-01T00:00:00.000000Z")") +
           signature_line(0, linear(1)) + (place.empty() ? "" : where_line("0", place)) + calls_line("\"0\":7") + kEnd;
  }

  std::string explained(const std::string& records) {
    const Outcome outcome = run("$OPCOV explain " + records);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::size_t where = outcome.out.find("  where");
    return where == std::string::npos ? "" : outcome.out.substr(where);
  }

  test::TempDir dir_;
};

TEST_F(PlacesOfRecords, AreOfTheSignatureThatTheirIdNames) {
  write("metadata_a.jsonl", header() + signature_line(7, linear(1)) + signature_line(3, linear(2)) +
                                signature_line(4, linear(1, "dit", "cuda:1")) + where_line("3", R"({"root":"B"})") +
                                where_line("7", R"({"root":"A"})") + where_line("4", R"({"future":1})") + kEnd);
  SignaturePool pool;
  const RecordFile file = read_record_file(dir_.path("metadata_a.jsonl"), pool);
  ASSERT_TRUE(file.findings.errors.empty()) << to_string(file.findings.errors[0]);
  const Segment& segment = file.segments[0];
  ASSERT_EQ(segment.places.size(), 2u);  // nothing is known of the third
  EXPECT_EQ(segment.places[0].place.root, "B");
  EXPECT_EQ(segment.places[0].signature, segment.signatures[1].signature);
  EXPECT_EQ(segment.places[1].place.root, "A");
  EXPECT_EQ(segment.places[1].signature, segment.signatures[0].signature);
}

TEST_F(PlacesOfRecords, AreToldByExplain) {
  write("metadata_a.jsonl", record(0, 1, kWhole));
  EXPECT_EQ(explained("."),
            "  where: blocks.0.q (Linear) in Net, in backward\n    model.py:12 Block.forward\n    run.py:3 <module>\n"
            "    (5 frames of torch left out, more further out)\n");
  write("metadata_b.jsonl", record(1, 2, R"({"frames":["b.py:1 f\u001b[31m"]})"));
  write("metadata_c.jsonl", record(2, 3, kWhole));
  EXPECT_EQ(explained("."),
            "  where (1 first call)\n    b.py:1 f?[31m\n  where (2 first calls): blocks.0.q (Linear) in Net, in "
            "backward\n    model.py:12 Block.forward\n    run.py:3 <module>\n"
            "    (5 frames of torch left out, more further out)\n");
  const Json told = parse_strict(run("$OPCOV explain . --json").out)["signatures"][0];
  Json whole = parse_strict(kWhole);
  whole["first_calls"] = 2;
  ASSERT_EQ(told["where"].size(), 2u);
  EXPECT_EQ(told["where"][1], whole);
  EXPECT_EQ(told["more_places"], false);
}

TEST_F(PlacesOfRecords, AreEightAtMost) {
  for (int i = 1; i <= 9; ++i)
    write("metadata_" + std::to_string(i) + ".jsonl",
          record(i, i, R"({"frames":["f.py:)" + std::to_string(10 - i) + R"( f"]})"));
  const std::string told = explained(".");
  EXPECT_NE(told.find("f.py:8 f\n  and first calls elsewhere\n"), std::string::npos) << told;
  EXPECT_EQ(told.find("f.py:9 f"), std::string::npos) << told;
}

TEST_F(PlacesOfRecords, OfRecordsWithoutAnyNothingIsSaid) {
  write("metadata_a.jsonl", record(0, 1, ""));
  EXPECT_EQ(explained("."), "");
  EXPECT_EQ(parse_strict(run("$OPCOV explain . --json").out)["signatures"][0]["where"], Json::array());
}

// Merging keeps each launch's places, whatever is merged first, and what is told of them stays the same.
TEST_F(PlacesOfRecords, AreKeptByMergesInAnyOrder) {
  std::mt19937 random(5);
  for (int i = 0; i < 6; ++i)
    write("r/metadata_" + std::to_string(i) + ".jsonl",
          record(i % 3, i, i == 5 ? "" : R"({"frames":["f.py:)" + std::to_string(random() % 3) + R"( f"]})"));
  const std::string told = explained("r");
  EXPECT_NE(told.find("f.py:"), std::string::npos);
  ASSERT_EQ(run("$OPCOV merge r -o all.jsonl").status, 0);
  const std::string all = test::read_file(dir_.path("all.jsonl"));
  EXPECT_EQ(explained("all.jsonl"), told);
  std::vector<std::string> files;
  for (int i = 0; i < 6; ++i) files.push_back("r/metadata_" + std::to_string(i) + ".jsonl");
  for (int round = 0; round < 6; ++round) {
    std::shuffle(files.begin(), files.end(), random);
    const std::size_t cut = 1 + random() % 5;
    std::string first;
    std::string second;
    for (std::size_t i = 0; i < files.size(); ++i) (i < cut ? first : second) += files[i] + " ";
    const Outcome outcome = run("$OPCOV merge " + first + "-o a.jsonl && $OPCOV merge " + second +
                                "-o b.jsonl && $OPCOV merge b.jsonl a.jsonl -o ab.jsonl && $OPCOV verify ab.jsonl");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(test::read_file(dir_.path("ab.jsonl")), all);
    run("rm a.jsonl b.jsonl ab.jsonl");
  }
}

}  // namespace
}  // namespace opcov
