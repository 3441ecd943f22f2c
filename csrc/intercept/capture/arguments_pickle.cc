#include "intercept/capture/arguments_pickle.h"

#include <string_view>
#include <utility>

#include "intercept/call_key_reader.h"
#include "intercept/torch_names.h"

namespace opcov {
namespace {

class ArgumentsPickler {
 public:
  ArgumentsPickler(const KeyView& key, const SavedTensors& saved) : key_(key.words, key.size), saved_(saved) {}

  void fill(SnapshotContent& snapshot) {
    key_.word();  // operator and stage
    const std::uint64_t arity = key_.word();
    offsets_.begin_dict();
    PickleWriter args;
    args.begin_tuple();
    items(arity & 0xffffffffU, "args", args);
    args.end_tuple();
    PickleWriter kwargs;
    kwargs.begin_dict();
    for (std::uint64_t i = arity >> 32U; i > 0; --i) {
      const std::string name = key_.name();
      kwargs.text(name);
      value("kwargs." + name, kwargs);
    }
    kwargs.end_dict();
    offsets_.end_dict();
    snapshot.args = args.bytes();
    snapshot.kwargs = kwargs.bytes();
    if (has_offsets_) snapshot.offsets = offsets_.bytes();
  }

 private:
  void items(std::uint64_t n, const std::string& place, PickleWriter& out) {
    for (std::uint64_t i = 0; i < n; ++i) value(place + "." + std::to_string(i), out);
  }

  void value(const std::string& place, PickleWriter& out) {
    const std::uint64_t head = key_.word();
    switch (tag_of(head)) {
      case KeyTag::kNone: return out.none();
      case KeyTag::kBool: return out.boolean(payload_of(head) != 0);
      case KeyTag::kInt: return out.integer(static_cast<std::int64_t>(key_.word()));
      case KeyTag::kDouble: return out.real(key_.real());
      case KeyTag::kComplex: {
        const double re = key_.real();
        return out.complex(re, key_.real());
      }
      case KeyTag::kString: return out.text(key_.text(payload_of(head)));
      case KeyTag::kObject: return append_object(key_.text(payload_of(head)), out);
      case KeyTag::kName: return name(key_.name(), out);
      case KeyTag::kList:
        out.begin_list();
        items(payload_of(head), place, out);
        return out.end_list();
      case KeyTag::kDict:
        out.begin_dict();
        items(2 * payload_of(head), place, out);
        return out.end_dict();
      case KeyTag::kTensor: return tensor(tensor_head_of(head), place, out);
      case KeyTag::kLayoutTensor: break;
    }
    throw std::logic_error("opcov: a tensor without strides cannot stand in a snapshot");
  }

  static void name(std::string_view name, PickleWriter& out) {
    if (name.starts_with("torch.")) return append_constant(name, out);
    out.global("torch", "device");
    out.begin_tuple();
    out.text(name);
    out.end_tuple();
    out.call();
  }

  void tensor(const TensorHead& head, const std::string& place, PickleWriter& out) {
    const SavedTensor& saved = saved_.tensors.at(next_++);
    SnapshotTensor tensor{dtype_name(head.dtype), key_.numbers(head.dims), {},
                          saved.offset,           saved.conjugated,        saved.negative};
    tensor.stride = key_.numbers(head.dims);
    if (saved.offset != saved.offset_in_call) {
      has_offsets_ = true;
      offsets_.text(place);
      offsets_.integer(saved.offset_in_call);
    }
    if (!saved.storage) return append_meta_tensor(tensor, out);
    append_tensor(tensor, *saved.storage, saved_.storages[*saved.storage], out);
  }

  CallKeyReader key_;
  const SavedTensors& saved_;
  std::size_t next_ = 0;
  PickleWriter offsets_;
  bool has_offsets_ = false;
};

}  // namespace

void add_arguments(const KeyView& key, SavedTensors saved, SnapshotContent& snapshot) {
  ArgumentsPickler(key, saved).fill(snapshot);
  snapshot.storages = std::move(saved.storages);
}

}  // namespace opcov
