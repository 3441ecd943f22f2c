// What the recorder writes, read back by our own reader and by Python's zipfile and pickle.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "snapshot/crc32.h"
#include "snapshot/snapshot_reader.h"
#include "snapshot/snapshot_writer.h"
#include "snapshot/zip_directory.h"
#include "snapshot/zip_writer.h"
#include "support.h"

namespace opcov {
namespace {

class File {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}
  ~File() { close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

const test::TempDir& folder() {
  static const test::TempDir dir;
  return dir;
}

std::string python(const std::string& program) {
  const auto done = test::shell("'" TEST_PYTHON "' -c '" + program + "'", folder().path());
  EXPECT_EQ(done.status, 0) << done.err;
  return done.out;
}

TEST(Crc32, IsThatOfZipFiles) {
  EXPECT_EQ(crc32(0, "123456789"), 0xCBF43926U);
  EXPECT_EQ(crc32(0, ""), 0U);
  EXPECT_EQ(crc32(crc32(0, "12345"), "6789"), 0xCBF43926U);
}

// Limits below what the entries need make zip64 records of each kind.
class Zip : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Zip, IsReadByOthers) {
  const std::string path = folder().path("a.zip");
  std::string large(100'000, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * i % 251);
  {
    const File file(path);
    ZipWriter zip(file.fd(), path, GetParam());
    zip.add("a/small", {"one", "", " two"});
    zip.add("a/none", {});
    zip.add("a/large", {large, large});
    zip.finish();
  }
  const RandomAccessFile file(path);
  const auto entries = read_zip_directory(file);
  ASSERT_EQ(entries.size(), 3U);
  for (const ZipEntry& entry : entries) EXPECT_EQ(entry.offset % 64, 0U) << entry.name;
  EXPECT_EQ(file.read(entries[0].offset, entries[0].size), "one two");
  EXPECT_EQ(entries[1].size, 0U);
  EXPECT_EQ(file.read(entries[2].offset, entries[2].size), large + large);
  EXPECT_EQ(
      python("import zipfile; z = zipfile.ZipFile(\"a.zip\"); print(z.testzip(), z.namelist(), z.read(\"a/small\"), "
             "len(z.read(\"a/large\")))"),
      "None ['a/small', 'a/none', 'a/large'] b'one two' 200000\n");
  std::remove(path.c_str());
}

INSTANTIATE_TEST_SUITE_P(Limits, Zip, ::testing::Values(0xFFFFFFFE, 150'000, 1000, 10, 0));

TEST(PickleWriter, WritesWhatPythonReads) {
  PickleWriter pickle;
  pickle.begin_list();
  pickle.none();
  pickle.boolean(true);
  pickle.boolean(false);
  using Int64 = std::numeric_limits<std::int64_t>;
  using Int32 = std::numeric_limits<std::int32_t>;
  for (const std::int64_t value : {Int64::min(), Int64::max(), std::int64_t{Int32::min()}, std::int64_t{Int32::max()},
                                   std::int64_t{Int32::max()} + 1, std::int64_t{-1}})
    pickle.integer(value);
  for (const double value : {0.1, -0.0, 5e-324, -std::numeric_limits<double>::infinity(), std::nan("")})
    pickle.real(value);
  pickle.complex(1.5, -2);
  pickle.text("\u00e9\U0001f600");
  pickle.begin_dict();
  pickle.text("a");
  pickle.integers({1, 2});
  pickle.end_dict();
  pickle.begin_tuple();
  pickle.end_tuple();
  pickle.end_list();
  folder().write("a.pkl", pickle.whole());
  EXPECT_EQ(python("import pickle; print(ascii(pickle.load(open(\"a.pkl\", \"rb\"))))"),
            "[None, True, False, -9223372036854775808, 9223372036854775807, -2147483648, 2147483647, 2147483648, -1, "
            "0.1, -0.0, 5e-324, -inf, nan, (1.5-2j), '\\xe9\\U0001f600', {'a': (1, 2)}, ()]\n");
}

SnapshotContent a_snapshot() {
  SnapshotContent snapshot;
  snapshot.signature =
      Json::parse(R"({"args":[{"dtype":"torch.int16","shape":[3],"stride":[2]}],)"
                  R"("kwargs":{"f":"torch.channels_last","g":{"object":"Generator"},)"
                  R"("l":"torch.strided","t":"torch.uint8"},"op":"aten.x.default",)"
                  R"("output":[{"dtype":"torch.int16","shape":[],"stride":[]},1.5],"stage":"d\u00e9"})");
  std::shared_ptr<char> data(new char[10], std::default_delete<char[]>());
  std::memset(data.get(), 7, 10);
  snapshot.storages.push_back({"cpu", 100'000, 10, data});
  PickleWriter args;
  args.begin_tuple();
  append_tensor({"torch.int16", {3}, {2}, 50'000}, 0, snapshot.storages[0], args);
  args.end_tuple();
  snapshot.args = args.bytes();
  PickleWriter kwargs;
  kwargs.begin_dict();
  for (const auto& [key, name] :
       {std::pair("f", "torch.channels_last"), {"l", "torch.strided"}, {"t", "torch.uint8"}}) {
    kwargs.text(key);
    append_constant(name, kwargs);
  }
  kwargs.text("g");
  append_object("Generator", kwargs);
  kwargs.end_dict();
  snapshot.kwargs = kwargs.bytes();
  snapshot.rank = 3;
  return snapshot;
}

TEST(SnapshotWriter, WritesTheSignatureThatIsReadBack) {
  const std::string path = folder().path("a.pt");
  const SnapshotContent snapshot = a_snapshot();
  {
    const File file(path);
    write_snapshot(file.fd(), snapshot, path);
  }
  const SnapshotCall call = read_snapshot(RandomAccessFile(path), {});
  EXPECT_EQ(call.signature, snapshot.signature);
  EXPECT_EQ(call.rank, 3U);
}

TEST(SnapshotWriter, NamesTheFileThatCannotBeWritten) {
  const File full("/dev/full");
  try {
    write_snapshot(full.fd(), a_snapshot(), "the path");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the path: cannot write: No space left on device");
    EXPECT_EQ(error.code(), ExitCode::kFailure);
  }
}

}  // namespace
}  // namespace opcov
