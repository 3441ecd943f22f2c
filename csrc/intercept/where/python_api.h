// The functions of Python's C interface that say where a program is. Looked up by name in the process, so that the
// library needs no Python and serves every version from 3.10 on.
//
// None of them runs Python code or lets another thread take the interpreter's lock (the GIL), but for ensure().
// Source: the reference manual of Python/C; what has a leading underscore was made public under another name later.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

namespace opcov::python {

struct Object;  // PyObject
struct Thread;  // PyThreadState

struct Api {
  // Without the GIL:
  int (*is_initialized)() = nullptr;
  int (*is_finalizing)() = nullptr;
  const char* (*version)() = nullptr;
  Thread* (*own_thread)() = nullptr;      // of the calling thread, whether it has the GIL or not; or null
  Thread* (*current_thread)() = nullptr;  // own_thread() where the calling thread has the GIL, else another or null
  int (*ensure)() = nullptr;              // waits for the GIL; ends the thread where Python ends meanwhile

  // With the GIL. Results are new references unless said otherwise, and null where an error is set.
  void (*release)(int) = nullptr;
  int (*disable_collector)() = nullptr;  // what it was before
  int (*enable_collector)() = nullptr;
  void (*take_error)(Object**, Object**, Object**) = nullptr;
  void (*restore_error)(Object*, Object*, Object*) = nullptr;
  void (*clear_error)() = nullptr;
  void (*forget)(Object*) = nullptr;
  Object* (*frame_of)(Thread*) = nullptr;  // null without an error where the thread runs no Python code
  Object* (*frame_back)(Object*) = nullptr;
  Object* (*frame_code)(Object*) = nullptr;
  int (*frame_line)(Object*) = nullptr;
  Object* (*attribute)(Object*, const char*) = nullptr;
  Object* (*item)(Object*, const char*) = nullptr;       // of any mapping
  Object* (*dict_item)(Object*, const char*) = nullptr;  // borrowed; sets no error
  int (*dict_next)(Object*, ssize_t*, Object**, Object**) = nullptr;
  Object* (*instance_dict)(Object*, void*) = nullptr;
  Object* (*type_of)(Object*) = nullptr;
  int (*is_subtype)(Object*, Object*) = nullptr;
  Object* (*imported_modules)() = nullptr;  // borrowed
  Object* (*encoded)(Object*, const char*, const char*) = nullptr;
  int (*bytes)(Object*, char**, ssize_t*) = nullptr;
  Object* dict_type = nullptr;
};

/// Null where the process has no Python, or one without a GIL, whose frames only their own thread may look at.
const Api* api();

/// One reference, given back with the GIL held.
class Ref {
 public:
  Ref() = default;
  Ref(const Api& api, Object* object) : api_(&api), object_(object) {
    if (object == nullptr) api.clear_error();
  }
  ~Ref() {
    if (object_ != nullptr) api_->forget(object_);
  }
  Ref(Ref&& other) noexcept : api_(other.api_), object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(object_, other.object_);
    return *this;
  }

  Object* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  const Api* api_ = nullptr;
  Object* object_ = nullptr;
};

/// A str as UTF-8; what does not go into UTF-8 (bytes of a file's name) by its number. Empty for what is no str.
std::string text_of(const Api& api, Object* object);

/// The str that is the attribute of this name.
std::string text_attribute(const Api& api, Object* object, const char* name);

/// Is it a dict, or of a class made from that?
bool is_dict(const Api& api, Object* object);

}  // namespace opcov::python
