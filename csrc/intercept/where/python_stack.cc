#include "intercept/where/python_stack.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "intercept/where/module_path.h"
#include "intercept/where/short_text.h"

namespace opcov::python {
namespace {

constexpr std::size_t kMostWalked = 256;
constexpr std::size_t kMostFrames = 16;

/// Keeps the garbage collector, which runs Python code, from being started by what is allocated here; and leaves the
/// thread's pending exception as it was.
class Undisturbed {
 public:
  explicit Undisturbed(const Api& api) : api_(api), collected_(api.disable_collector()) {
    api_.take_error(&type_, &value_, &traceback_);
  }
  ~Undisturbed() {
    api_.restore_error(type_, value_, traceback_);
    if (collected_ != 0) api_.enable_collector();
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  const Api& api_;
  const int collected_;
  Object* type_ = nullptr;
  Object* value_ = nullptr;
  Object* traceback_ = nullptr;
};

/// Where an imported package lies, with a slash behind it; empty where it is not imported.
std::string folder_of(const Api& api, const char* package) {
  Object* module = api.dict_item(api.imported_modules(), package);
  if (module == nullptr) return {};
  const std::string file = text_attribute(api, module, "__file__");
  return file.substr(0, file.rfind('/') + 1);
}

class Walk {
 public:
  explicit Walk(const Api& api) : api_(api), torch_(folder_of(api, "torch")), opcov_(folder_of(api, "opcov")) {}

  CallPlace of(Thread* thread) {
    Ref frame(api_, api_.frame_of(thread));
    for (std::size_t walked = 0; frame && walked < kMostWalked; ++walked) {
      look_at(frame.get());
      frame = Ref(api_, api_.frame_back(frame.get()));
    }
    if (frame) place_.more_frames = true;
    std::reverse(modules_.begin(), modules_.end());
    name_module(api_, modules_, place_);
    return std::move(place_);
  }

 private:
  void look_at(Object* frame) {
    const Ref code(api_, api_.frame_code(frame));
    if (!code) return;
    const std::string file = text_attribute(api_, code.get(), "co_filename");
    if (is_inner(file)) {
      ++place_.left_out;
      if (file == torch_ + "nn/modules/module.py") look_for_module(frame, code.get());
    } else if (place_.frames.size() == kMostFrames) {
      place_.more_frames = true;
    } else {
      place_.frames.push_back(short_path(file) + ":" + std::to_string(api_.frame_line(frame)) + " " +
                              short_name(function_of(code.get())));
    }
  }

  bool is_inner(const std::string& file) const {
    return (!torch_.empty() && file.starts_with(torch_)) || (!opcov_.empty() && file.starts_with(opcov_)) ||
           file.starts_with("<frozen importlib.");
  }

  std::string function_of(Object* code) const {
    std::string name = text_attribute(api_, code, "co_qualname");  // from Python 3.11 on
    return name.empty() ? text_attribute(api_, code, "co_name") : name;
  }

  void look_for_module(Object* frame, Object* code) {
    if (text_attribute(api_, code, "co_name") != "_wrapped_call_impl") return;
    const Ref locals(api_, api_.attribute(frame, "f_locals"));
    if (!locals) return;
    Ref module(api_, api_.item(locals.get(), "self"));
    if (module && (modules_.empty() || modules_.back().get() != module.get())) modules_.push_back(std::move(module));
  }

  const Api& api_;
  const std::string torch_;
  const std::string opcov_;
  std::vector<Ref> modules_;  // innermost first
  CallPlace place_;
};

}  // namespace

CallPlace place_of(const Api& api, Thread* thread) {
  const Undisturbed undisturbed(api);
  return Walk(api).of(thread);
}

}  // namespace opcov::python
