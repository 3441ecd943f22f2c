#include "intercept/capture/save_tensors.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "intercept/capture/device_copy.h"
#include "intercept/capture/random_values.h"
#include "intercept/describe.h"
#include "intercept/run_facts.h"
#include "intercept/torch_names.h"

namespace opcov {
namespace {

// Offsets up to here stay as they are; of larger ones only the place in a page.
constexpr std::uint64_t kMostLeadingBytes = 64 << 10;
constexpr std::uint64_t kPage = 4096;

/// A tensor's bytes, from its first to behind its last element.
struct Span {
  c10::Device device;
  c10::ScalarType dtype;
  std::uint64_t itemsize;
  std::uintptr_t storage;
  std::uintptr_t begin;
  std::uintptr_t end;
};

/// Spans that overlap, as one storage of the snapshot.
struct Segment {
  c10::Device device;
  c10::ScalarType dtype;  // of one of them
  std::uintptr_t begin;
  std::uintptr_t end;
  std::uint64_t leading;
};

[[noreturn]] void refuse(const std::string& what) { throw NotCaptured(what, true); }

void check(const c10::TensorImpl& tensor) {
  const c10::DispatchKeySet keys = tensor.key_set();
  const auto dtype = c10::typeMetaToScalarType(tensor.dtype());
  if (tensor.layout() != c10::Layout::Strided || keys.has(c10::DispatchKey::NestedTensor))
    refuse("a tensor that is sparse, nested or of another layout than torch.strided");
  if (c10::isQIntType(dtype)) refuse("a quantised tensor");
  if (keys.has(c10::DispatchKey::ZeroTensor)) refuse("a tensor of zeros that has no memory");
  if (!tensor.device().is_cpu() && !tensor.device().is_cuda())
    refuse("a tensor on the device " + tensor.device().str());
  if (!tensor.has_storage()) refuse("a tensor that has no memory of its own");
}

std::uint64_t elements_spanned(const c10::TensorImpl& tensor) {
  std::uint64_t last = 0;
  for (std::int64_t i = 0; i < tensor.dim(); ++i) {
    const std::int64_t size = tensor.sizes()[static_cast<std::size_t>(i)];
    if (size == 0) return 0;
    last += static_cast<std::uint64_t>(size - 1) *
            static_cast<std::uint64_t>(tensor.strides()[static_cast<std::size_t>(i)]);
  }
  return last + 1;
}

Span span_of(const c10::TensorImpl& tensor) {
  check(tensor);
  const c10::StorageImpl& storage = *tensor.unsafe_storage().unsafeGetStorageImpl();
  const std::uint64_t itemsize = tensor.itemsize();
  const std::uint64_t first = static_cast<std::uint64_t>(tensor.storage_offset()) * itemsize;
  const std::uint64_t bytes = elements_spanned(tensor) * itemsize;
  if (bytes > 0 && (storage.data() == nullptr || first + bytes > storage.nbytes()))
    refuse("a tensor whose memory is not there");
  const auto base = reinterpret_cast<std::uintptr_t>(storage.data());
  return {tensor.device(),     c10::typeMetaToScalarType(tensor.dtype()), itemsize, base, base + first,
          base + first + bytes};
}

bool overlap(const Segment& segment, const Span& span) {
  return segment.device == span.device && span.begin < segment.end && segment.begin < span.end;
}

Segment segment_of(const Span& span) {
  const std::uint64_t before = span.begin == span.end ? 0 : span.begin - span.storage;
  const std::uint64_t leading = before <= kMostLeadingBytes ? before : before % kPage;
  return {span.device, span.dtype, span.begin, span.end, leading};
}

/// The segments, and of each span the one that it is in.
std::pair<std::vector<Segment>, std::vector<std::size_t>> segments_of(const std::vector<Span>& spans) {
  std::vector<std::size_t> order(spans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&spans](std::size_t a, std::size_t b) {
    return std::pair(spans[a].begin, a) < std::pair(spans[b].begin, b);
  });
  std::vector<Segment> segments;
  std::vector<std::size_t> place(spans.size());
  for (const std::size_t i : order) {
    if (segments.empty() || !overlap(segments.back(), spans[i])) segments.push_back(segment_of(spans[i]));
    segments.back().end = std::max(segments.back().end, spans[i].end);
    place[i] = segments.size() - 1;
  }
  return {std::move(segments), std::move(place)};
}

SavedTensor saved_tensor(const c10::TensorImpl& tensor) {
  SavedTensor saved;
  saved.offset_in_call = tensor.storage_offset();
  saved.conjugated = tensor.key_set().has(c10::DispatchKey::Conjugate);
  saved.negative = tensor.key_set().has(c10::DispatchKey::Negative);
  return saved;
}

/// The first CUDA device has every machine with one, and which it was is no part of a signature.
std::string location(c10::Device device) { return device.is_cuda() ? "cuda:0" : "cpu"; }

/// Waits, or makes up values; the memory is the storages' own.
std::function<void(std::vector<SnapshotStorage>&)> made_up_values(const std::vector<Segment>& segments) {
  std::vector<c10::ScalarType> dtypes;
  for (const Segment& segment : segments) dtypes.push_back(segment.dtype);
  return [dtypes](std::vector<SnapshotStorage>& storages) {
    for (std::size_t i = 0; i < storages.size(); ++i) {
      storages[i].data = host_memory(storages[i].bytes);
      fill_with_random_values(dtypes[i], harmless_range(dtypes[i]), i, storages[i].data.get(), storages[i].bytes);
    }
  };
}

void start_copies(const std::vector<Segment>& segments, CopiedTensors& copied) {
  std::vector<std::function<void()>> waits;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    if (segment.begin == segment.end) continue;
    StartedCopy copy =
        start_copy(segment.device, reinterpret_cast<const void*>(segment.begin), segment.end - segment.begin);
    copied.saved.storages[i].data = std::move(copy.to);
    if (copy.wait) waits.push_back(std::move(copy.wait));
  }
  if (!waits.empty())
    copied.complete = [waits = std::move(waits)](std::vector<SnapshotStorage>&) {
      for (const auto& wait : waits) wait();
    };
}

/// Not numbers that met a tensor: a key describes them as numbers.
std::vector<const c10::TensorImpl*> tensors_among(c10::ArrayRef<const c10::TensorImpl*> inputs) {
  std::vector<const c10::TensorImpl*> tensors;
  CallKey scratch;
  for (const c10::TensorImpl* input : inputs)
    if (!append_wrapped_number(*input, scratch)) tensors.push_back(input);
  return tensors;
}

}  // namespace

CopiedTensors copy_tensors(c10::ArrayRef<const c10::TensorImpl*> inputs, CaptureConfig::Values values,
                           CaptureLedger& ledger) {
  CopiedTensors copied;
  std::vector<Span> spans;
  bool on_cuda = false;
  for (const c10::TensorImpl* tensor : tensors_among(inputs)) {
    spans.push_back(span_of(*tensor));
    copied.saved.tensors.push_back(saved_tensor(*tensor));
    on_cuda = on_cuda || tensor->device().is_cuda();
  }
  if (values == CaptureConfig::Values::kNone) return ledger.reserve(0), copied;
  if (values == CaptureConfig::Values::kKeep && on_cuda && is_capturing_graph())
    throw NotCaptured("called only while a CUDA graph was captured", false);

  const auto [segments, place] = segments_of(spans);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Segment& segment = segments[place[i]];
    SavedTensor& saved = copied.saved.tensors[i];
    const std::uint64_t at = spans[i].begin - segment.begin + segment.leading;
    if (at % spans[i].itemsize != 0) refuse("tensors that share memory, but not its elements");
    saved.storage = place[i];
    saved.offset =
        spans[i].begin == spans[i].end ? saved.offset_in_call : static_cast<std::int64_t>(at / spans[i].itemsize);
  }
  for (const Segment& segment : segments) {
    copied.saved.storages.push_back({location(segment.device), segment.leading, segment.end - segment.begin, {}});
    copied.bytes += segment.end - segment.begin;
  }
  ledger.reserve(copied.bytes);
  try {
    if (values == CaptureConfig::Values::kRandom)
      copied.complete = made_up_values(segments);
    else
      start_copies(segments, copied);
  } catch (...) {
    ledger.give_back(copied.bytes);
    throw;
  }
  return copied;
}

}  // namespace opcov
