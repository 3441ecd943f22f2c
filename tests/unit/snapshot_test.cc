// Snapshots that nobody would write in good faith: each is refused with its reason, whatever its parts say.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "snapshot/snapshot_reader.h"
#include "snapshot_support.h"
#include "support.h"

namespace opcov {
namespace {

using test::bytes_of;
using test::pickled_call;
using test::pickled_global;
using test::pickled_int;
using test::pickled_storage;
using test::pickled_tensor;
using test::pickled_text;
using test::pickled_tuple;
using test::snapshot_of;
using test::zip_of;

const std::string kTensor = pickled_tensor(pickled_storage(24), 0, {4, 6}, {6, 1});
const std::string kPickle = pickled_call({kTensor});
const std::string kStorage(96, 'x');

Json signature_of(const std::string& path, const SnapshotDefaults& defaults = {"aten.sin.default", {}}) {
  const RandomAccessFile file(path);
  return read_snapshot(file, defaults).signature;
}

Json read(const std::string& bytes) {
  const test::TempDir dir;
  return signature_of(dir.write("a.pt", bytes));
}

// What is said about the file, behind its name.
std::string refusal(const std::string& bytes) {
  const test::TempDir dir;
  const std::string path = dir.write("a.pt", bytes);
  try {
    signature_of(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with(path + ": ")) << text;
    return text.substr(path.size() + 2);
  }
  return "taken";
}

std::string refusal_of_args(const std::vector<std::string>& args) { return refusal(snapshot_of(pickled_call(args))); }

TEST(Snapshot, IsReadFromPartsMadeByHand) {
  EXPECT_EQ(read(snapshot_of(kPickle)),
            Json::parse(R"({"args":[{"dtype":"torch.float32","shape":[4,6],"stride":[6,1]}],"kwargs":{},)"
                        R"("op":"aten.sin.default"})"));
}

TEST(Snapshot, CutAnywhereIsRefused) {
  const std::string whole = snapshot_of(kPickle);
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(refusal(whole.substr(0, size)), "taken") << size;
}

TEST(Snapshot, WithBytesBeforeItIsRefused) {
  EXPECT_EQ(refusal("x" + snapshot_of(kPickle)), "is no file of torch.save's");
  EXPECT_EQ(refusal("PK\3\4" + snapshot_of(kPickle)), "its zip directory is not where its end record says");
}

TEST(Snapshot, MayHaveACommentThatLooksLikeAnEnd) {
  const std::string comment = "PK\5\6 is how a zip file ends";
  EXPECT_EQ(read(zip_of({{"call/data.pkl", kPickle}, {"call/data/0", kStorage}}, "", comment))["args"].size(), 1);
}

TEST(Snapshot, WithADirectoryThatLiesIsRefused) {
  const auto with = [](test::ZipPart part) {
    return refusal(zip_of({{"call/data.pkl", kPickle}, {"call/data/0", kStorage}, std::move(part)}));
  };
  const std::string x = "call/x";
  EXPECT_EQ(with({x, ""}), "taken");
  EXPECT_EQ(with({"call/data/0", kStorage}), "its zip directory names one entry twice");
  EXPECT_EQ(with({.name = x, .data = "", .name_in_its_header = "call/y"}),
            "an entry's own header and its zip directory say different things");
  EXPECT_EQ(with({.name = x, .data = "", .size = 1 << 30}), "an entry lies outside of the file");
  EXPECT_EQ(with({.name = x, .data = "a", .size = 1, .compressed = 2}), "an entry of its zip directory has two sizes");
  EXPECT_EQ(with({.name = x, .data = "", .flags = 1}), "is encrypted");
  EXPECT_EQ(with({.name = x, .data = "", .offset = 1 << 30}), "an entry lies outside of the file");
  EXPECT_EQ(with({.name = x, .data = "", .size = 0xFFFFFFFF, .compressed = 0}),
            "an entry of its zip directory lacks its zip64 sizes");
  EXPECT_EQ(with({.name = x, .data = "", .size = 0xFFFFFFFF, .compressed = 0, .extra = bytes_of(1, 2) + "\x08"}),
            "a record of its zip directory is cut short");
  EXPECT_EQ(
      with({.name = x, .data = "", .size = 0xFFFFFFFF, .compressed = 0, .extra = bytes_of(1, 2) + bytes_of(9, 2)}),
      "an extra field of its zip directory is cut short");
  EXPECT_EQ(with({.name = x,
                  .data = "",
                  .size = 0xFFFFFFFF,
                  .extra = bytes_of(1, 2) + bytes_of(16, 2) + bytes_of(~0ULL, 8) + bytes_of(~0ULL, 8)}),
            "an entry lies outside of the file");
  EXPECT_EQ(with({"other/x", ""}), "is a zip file, but none of torch.save's");
}

TEST(Snapshot, WithEntriesThatOverlapIsRefused) {
  // The second entry's header stands within the first one's bytes.
  const std::string inner = zip_of({{"call/data/0", kStorage}});
  const std::size_t at = 30 + std::string("call/data.pkl").size();
  const std::string file = zip_of(
      {{"call/data.pkl", inner},
       {.name = "call/data/0", .data = "", .size = 96, .compressed = 96, .offset = static_cast<std::int64_t>(at)}});
  EXPECT_EQ(refusal(file), "two of its entries overlap");
}

TEST(Snapshot, WithAnEndThatLiesIsRefused) {
  const std::string whole = snapshot_of(kPickle);
  const auto changed = [&](std::size_t from_end, const std::string& bytes) {
    std::string file = whole;
    return refusal(file.replace(file.size() - from_end, bytes.size(), bytes));
  };
  EXPECT_EQ(changed(22 - 4, bytes_of(1, 2)), "is one part of a zip file in several parts");
  EXPECT_EQ(changed(22 - 8, bytes_of(3, 2) + bytes_of(3, 2)),
            "its zip directory holds another number of entries than said");
  EXPECT_EQ(changed(22 - 12, bytes_of(1, 4)), "its zip directory is not where its end record says");
  EXPECT_EQ(changed(22 - 16, bytes_of(0xFFFFFFFF, 4)), "its zip directory is not where its end record says");
  EXPECT_EQ(changed(22 - 20, bytes_of(1, 2)), "has no end of a zip directory: it was cut short, or is no zip file");
  const auto locator = [](std::uint64_t at) { return "PK\6\7" + bytes_of(0, 4) + bytes_of(at, 8) + bytes_of(1, 4); };
  EXPECT_EQ(refusal(zip_of({{"call/data.pkl", kPickle}}, locator(~0ULL))),
            "its zip64 end record is not where its locator says");
  EXPECT_EQ(refusal(zip_of({{"call/data.pkl", kPickle}}, locator(0))),
            "its zip64 end record is not where its locator says");
}

TEST(Snapshot, WithACompressedPickleIsRefused) {
  const std::string reason = "is compressed, which torch.save never does; load it and save it again";
  EXPECT_EQ(refusal(zip_of({{.name = "call/data.pkl", .data = kPickle, .method = 8}})), reason);
  EXPECT_EQ(refusal(zip_of({{"call/data.pkl", kPickle}, {.name = "call/data/0", .data = kStorage, .method = 8}})),
            reason);
}

TEST(Snapshot, WithAHugePickleIsRefusedUnread) {
  const test::TempDir dir;
  const std::string path = dir.write("a.pt", snapshot_of(std::string((16 << 20) + 1, '\0')));
  EXPECT_THROW(signature_of(path), Error);
  EXPECT_EQ(refusal(test::read_file(path)), "its pickle is larger than 16 MiB; a snapshot holds one call");
}

TEST(Snapshot, WithATensorThatItCannotHoldIsRefused) {
  const std::string larger = "a tensor in it is larger than its storage";
  const std::string none = "a tensor in it has a shape, stride or offset that no tensor has";
  const std::string missing = "a tensor's values are not in it, or not whole: it was cut short or put together by hand";
  const auto tensor = [](std::int32_t offset, const std::vector<std::int32_t>& shape,
                         const std::vector<std::int32_t>& stride) {
    return refusal_of_args({pickled_tensor(pickled_storage(24), offset, shape, stride)});
  };
  EXPECT_EQ(tensor(0, {24}, {1}), "taken");
  EXPECT_EQ(tensor(0, {25}, {1}), larger);
  EXPECT_EQ(tensor(1, {24}, {1}), larger);
  EXPECT_EQ(tensor(23, {1 << 30}, {0}), "taken");
  EXPECT_EQ(tensor(0, {2, 2}, {23, 1}), larger);
  EXPECT_EQ(tensor(0, {0, 1 << 30}, {1 << 30, 1}), "taken");
  EXPECT_EQ(tensor(-1, {1}, {1}), none);
  EXPECT_EQ(tensor(0, {-1}, {1}), none);
  EXPECT_EQ(tensor(0, {2}, {-1}), none);
  EXPECT_EQ(tensor(0, {2}, {1, 1}), none);
  const std::int32_t huge = 2147483647;
  EXPECT_EQ(tensor(0, {huge, huge, huge}, {huge, huge, huge}), none);
  EXPECT_EQ(refusal_of_args({pickled_tensor(pickled_storage(25), 0, {1}, {1})}), missing);
  EXPECT_EQ(refusal_of_args({pickled_tensor(pickled_storage(24, "1"), 0, {1}, {1})}), missing);
  EXPECT_EQ(refusal_of_args({pickled_tensor(pickled_int(1), 0, {1}, {1})}),
            "a tensor in it has a storage that torch.save does not write");
}

TEST(Snapshot, NamesWhatIsNotTorchs) {
  const std::string system = pickled_global("os", "system");
  const std::string rest =
      ", which is none of torch's own types; nothing of it was executed. Save tensors, numbers, strings, lists and "
      "dicts alone";
  EXPECT_EQ(refusal_of_args({system + pickled_tuple({pickled_text("touch /tmp/x")}) + "R"}),
            "its pickle names os.system" + rest);
  EXPECT_EQ(refusal_of_args({system + "0N"}),
            "its pickle has an opcode (0x30) that torch.save writes for no operator's input");
  // Named where nothing reaches it.
  EXPECT_EQ(refusal(snapshot_of("\x80\x02" + system + kPickle.substr(2))), "its pickle names os.system" + rest);
  EXPECT_EQ(refusal_of_args({pickled_global("torch._utils", "_rebuild_anything") + ")R"}),
            "its pickle names torch._utils._rebuild_anything" + rest);
  EXPECT_EQ(refusal_of_args({kTensor + pickled_tuple({}) + "b"}),
            "its pickle sets the state of what torch._utils._rebuild_tensor_v2 made, which torch.save does for no "
            "operator's input");
  EXPECT_EQ(refusal_of_args({pickled_global("torch.nn.parameter", "Parameter") + pickled_tuple({kTensor}) + "R"}),
            "holds a value made by torch.nn.parameter.Parameter, which no operator takes");
}

TEST(Snapshot, WithADamagedPickleIsRefused) {
  const auto pickle = [](const std::string& bytes) { return refusal(snapshot_of("\x80\x02" + bytes)); };
  EXPECT_EQ(pickle(""), "its pickle ends early");
  EXPECT_EQ(pickle("."), "its pickle is damaged: nothing to take");
  EXPECT_EQ(pickle("t."), "its pickle is damaged: no mark");
  EXPECT_EQ(pickle("(}."), "holds a dict without args; save {\"args\": (..), \"kwargs\": {..}}");
  EXPECT_EQ(pickle("}(" + pickled_text("kwargs") + "}u."),
            "holds a dict without args; save {\"args\": (..), \"kwargs\": {..}}");
  EXPECT_EQ(pickle("N(\x85."), "its pickle is damaged: nothing to take");
  EXPECT_EQ(pickle("h\x05."), "its pickle refers to a value that it does not have");
  EXPECT_EQ(pickle("NNa."), "its pickle appends to what is no list");
  EXPECT_EQ(pickle("NNNs."), "its pickle sets items of what is no dict");
  EXPECT_EQ(pickle("}(Nu."), "its pickle has a key without a value");
  EXPECT_EQ(pickle("NNR."), "its pickle calls something that is no function it names");
  EXPECT_EQ(pickle("NN\x93."), "its pickle names a global by something that is no string");
  EXPECT_EQ(pickle("X" + bytes_of(0xFFFFFFFF, 4)), "its pickle ends early");
  EXPECT_EQ(pickle("\x8d" + bytes_of(~0ULL, 8)), "its pickle ends early");
  EXPECT_EQ(pickle("\x8b" + bytes_of(0x80000000, 4)), "its pickle ends early");
  EXPECT_EQ(pickle("\x80\x06"), "its pickle is of a protocol beyond 5");
  EXPECT_EQ(pickle(pickled_text("\xff") + "."), "holds a string that is not valid UTF-8");
}

TEST(Snapshot, ThatHoldsItselfOrGrowsWithoutEndIsRefused) {
  // A list that is its own item.
  EXPECT_EQ(refusal_of_args({std::string("]q\x01h\x01") + "a"}), "is nested deeper than the arguments of a call");
  // Ten times ten times ten times...
  std::string billion = "N";
  for (char i = 1; i <= 30; ++i) {
    billion += std::string("q") + i + "(";
    for (int n = 0; n < 9; ++n) billion += std::string("h") + i;
    billion += "t";
  }
  EXPECT_EQ(refusal_of_args({billion}), "holds more values than the arguments of one call");
  EXPECT_EQ(refusal_of_args({std::string(60, ']') + std::string(59, 'a')}),
            "is nested deeper than the arguments of a call");
  EXPECT_EQ(refusal(snapshot_of("\x80\x02" + std::string(1'100'000, ']') + ".")),
            "its pickle holds more than 1,000,000 values; a snapshot holds one call");
  EXPECT_EQ(refusal(snapshot_of("\x80\x02" + std::string(1'100'000, '('))), "its pickle is nested too deep");
}

TEST(Snapshot, StageComesFromTheFileThenItsNameThenTheDefault) {
  const test::TempDir dir;
  const std::string hex(16, 'a');
  const SnapshotDefaults defaults{"aten.sin.default", "given"};
  const auto stage = [&](const std::string& name, const std::string& pickle) {
    return signature_of(dir.write(name, snapshot_of(pickle)), defaults)["stage"];
  };
  const std::string stated =
      "\x80\x02}(" + pickled_text("args") + ")" + pickled_text("stage") + pickled_text("stated") + "u.";
  EXPECT_EQ(stage("dit_rank0_" + hex + ".pt", stated), "stated");
  EXPECT_EQ(stage("dit_rank0_" + hex + ".pt", kPickle), "dit");
  EXPECT_EQ(stage("a_rank_b_rank12_" + hex + ".pt", kPickle), "a_rank_b");
  EXPECT_EQ(stage("_rank0_" + hex + ".pt", kPickle), "");
  for (const char* name : {"dit_rank_", "dit_rankx_", "dit_0_", "dit"})
    EXPECT_EQ(stage(name + hex + ".pt", kPickle), "given") << name;
  EXPECT_EQ(stage("dit_rank0_" + std::string(16, 'g') + ".pt", kPickle), "given");
}

TEST(Snapshot, OperatorNames) {
  EXPECT_EQ(operator_name("aten::linear"), "aten.linear.default");
  EXPECT_EQ(operator_name("aten.linear"), "aten.linear.default");
  EXPECT_EQ(operator_name("aten::add.Tensor"), "aten.add.Tensor");
  EXPECT_EQ(operator_name("aten.add.Tensor"), "aten.add.Tensor");
  for (const char* name : {"", "linear", "aten::", "aten..x", ".aten.x", "a.b.c.d", "aten.x y", "aten::a::b"})
    EXPECT_THROW(operator_name(name), FormatError) << name;
}

}  // namespace
}  // namespace opcov
