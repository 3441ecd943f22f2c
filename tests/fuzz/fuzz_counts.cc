// Sidecars of any content: the reader gives what a plain loop over the documented layout gives, or an error.
//
// A sidecar is nearly all zeros. So that the fuzzer works on the rest, its input is a folded one: each block's first 56
// bytes and last 8. A last piece that is shorter makes a file that ends within a block.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "format/counts_layout.h"
#include "format/counts_reader.h"
#include "format/format_error.h"
#include "format/segment_reader.h"
#include "fuzz_support.h"

namespace opcov::fuzz {
namespace {

std::string unfolded(std::string_view input) {
  constexpr std::size_t kFirst = 56;
  constexpr std::size_t kLast = 8;
  std::string bytes;
  while (input.size() >= kFirst + kLast) {
    bytes += input.substr(0, kFirst);
    bytes.append(kCountsBlockBytes - kFirst - kLast, '\0');
    bytes += input.substr(kFirst, kLast);
    input.remove_prefix(kFirst + kLast);
  }
  return bytes.append(input);
}

std::uint64_t integer(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size && at + i < bytes.size(); ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

using Calls = std::map<std::uint64_t, unsigned __int128>;

// By docs/record-format.md alone. Nothing: the file has to be refused, or was not begun.
std::optional<Calls> expected(std::string_view bytes) {
  constexpr std::uint64_t kMost = INT64_MAX;
  if (!bytes.starts_with("OPCOVCNT") || integer(bytes, 8, 4) != 1 || integer(bytes, 12, 4) != 4096) return {};
  if (integer(bytes, 24, 8) > kMost || integer(bytes, 32, 8) > kMost) return {};
  Calls calls;
  for (std::size_t block = 4096; block < bytes.size(); block += 4096) {
    if (integer(bytes, block, 4) == 0) continue;
    const std::uint64_t first = integer(bytes, block + 8, 8);
    if (integer(bytes, block, 4) != 1 || first > kMost - 510) return {};
    for (std::size_t i = 0; i < 510; ++i) {
      const std::uint64_t count = integer(bytes, block + 16 + 8 * i, 8);
      if (count > 0 && (calls[first + i] += count) > kMost) return {};
    }
  }
  return calls;
}

// Nothing where the reader refuses the file or finds it not begun.
std::optional<Counts> read(const std::string& path) try { return read_counts(path); } catch (const FormatError&) {
  return {};
}

const std::vector<RecordLine>& lines_of_a_record() {
  static const std::vector<RecordLine> lines = {
      parse_record_line(R"({"record":"header","format":"opcov-metadata","version":1,"rank":0})"),
      parse_record_line(
          R"({"record":"signature","id":0,"signature":{"args":[],"kwargs":{},"op":"a.b.c","output":null,"stage":""}})"),
      parse_record_line(
          R"({"record":"signature","id":509,"signature":{"args":[2],"kwargs":{},"op":"a.b.c","output":1,"stage":""}})"),
  };
  return lines;
}

// Beside a record that knows the ids 0 and 509.
void check_beside_a_record(const Counts& counts, const Calls& counted) {
  static SignaturePool pool;
  const std::vector<RecordLine>& lines = lines_of_a_record();
  SegmentReader reader(lines[0], 1, pool);
  reader.add(lines[1], 2);
  reader.add(lines[2], 3);
  Findings findings;
  reader.use_counts(counts, "r.counts", findings);
  const Segment segment = reader.finish("r.jsonl", findings);
  const auto calls_of = [&](std::uint64_t id) { return counted.contains(id) ? counted.at(id) : 0; };
  require(segment.signatures[0].calls == calls_of(0) && segment.signatures[1].calls == calls_of(509),
          "the counts of an id are its signature's");
  const std::size_t unknown = counted.size() - counted.count(0) - counted.count(509);
  require(findings.damage.size() == unknown, "counts of other ids are damage, each named");
}

}  // namespace
}  // namespace opcov::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace opcov::fuzz;
  static const InputFile sidecar("r.counts");
  const std::string bytes = unfolded(text_of(data, size));
  sidecar.write(bytes);
  const auto want = expected(bytes);
  const auto counts = read(sidecar.path());
  require(counts.has_value() == want.has_value(), "a sidecar is read exactly where it keeps to the layout");
  if (!counts) return 0;
  require(Calls(counts->calls.begin(), counts->calls.end()) == *want, "the counts are the sums over the blocks");
  check_beside_a_record(*counts, *want);
  return 0;
}
