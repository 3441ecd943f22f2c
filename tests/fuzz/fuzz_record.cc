// Any bytes as a record file, alone and beside a counts sidecar.
#include <unistd.h>

#include "format/counts_writer.h"
#include "fuzz_support.h"

namespace opcov::fuzz {
namespace {

// 7 calls of id 0 and 8 of id 1, counted by process 1; the record may know these ids or not.
std::string sidecar_beside(const InputFile& record) {
  const std::string beside = scratch("beside.jsonl");
  require(symlink(record.path().c_str(), beside.c_str()) == 0, "a link can be made");
  CountsWriter writer(scratch("beside.counts"), 1);
  CountsBlock* block = writer.add_block(0);
  block->counts[0] = 7;
  block->counts[1] = 8;
  return beside;
}

}  // namespace
}  // namespace opcov::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace opcov::fuzz;
  static const InputFile alone("alone.jsonl");
  static const std::string beside = sidecar_beside(alone);
  const std::string_view text = text_of(data, size);
  alone.write(text);
  const opcov::RecordFile file = check_record(alone.path(), text);
  // With an end line the sidecar does not count, and what is no record never asks for one.
  if (file.findings.errors.empty() && file.segments.size() == 1 && file.segments[0].ending == opcov::Ending::kCut)
    check_record(beside, text);
  return 0;
}
