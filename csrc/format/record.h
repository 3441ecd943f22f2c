// What a record file says, as read: segments of signatures with counts. See docs/record-format.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "format/call_place.h"
#include "format/findings.h"
#include "format/signature_pool.h"

namespace opcov {

/// How a segment's recording ended, and so where its counts come from.
enum class Ending {
  kClean,    // an end line; counts from the calls lines
  kSidecar,  // the program was killed or still runs; counts from the sidecar, which a merge may have folded in
  kCut,      // neither end line nor sidecar; counts from the last calls lines
};

struct SignatureCalls {
  std::uint64_t id = 0;
  std::uint64_t calls = 0;
  SignaturePool::Index signature = 0;
  bool returns_input = false;
};

/// Where the first call was made of one of a segment's signatures.
struct SignaturePlace {
  SignaturePool::Index signature = 0;
  CallPlace place;
};

struct Notice {
  std::string kind;
  std::uint64_t count = 1;
  std::string text;
};

struct Segment {
  std::size_t line = 0;     // of its header
  std::uint64_t begin = 0;  // its lines' bytes in the file; a torn last line is not among them
  std::uint64_t end = 0;
  Json header;
  std::string launch;  // the same in every copy of this launch's record (launches.h); empty where the header names none
  std::uint64_t rank = 0;
  std::uint64_t world_size = 1;
  std::vector<SignatureCalls> signatures;  // one entry an id; several may share a signature
  std::vector<SignaturePlace> places;      // of ids with calls or without
  std::map<std::string, std::uint64_t> raised;
  std::vector<Notice> notices;
  std::uint64_t unrecorded = 0;
  Ending ending = Ending::kCut;
  bool has_end_line = false;
};

struct RecordFile {
  std::string path;
  std::string sha256;
  std::vector<Segment> segments;
  std::uint64_t calls = 0;  // over all segments
  Findings findings;
};

}  // namespace opcov
