#include "intercept/where/python_api.h"

#include <dlfcn.h>

#include <atomic>
#include <cstring>
#include <initializer_list>

namespace opcov::python {
namespace {

/// The first of these names that a library of the process exports.
template <class Function>
bool find(Function& function, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (void* address = dlsym(RTLD_DEFAULT, name)) {
      function = reinterpret_cast<Function>(address);
      return true;
    }
  return false;
}

bool find_all(Api& api) {
  return find(api.is_initialized, {"Py_IsInitialized"}) &&
         find(api.is_finalizing, {"Py_IsFinalizing", "_Py_IsFinalizing"}) && find(api.version, {"Py_GetVersion"}) &&
         find(api.own_thread, {"PyGILState_GetThisThreadState"}) &&
         find(api.current_thread, {"PyThreadState_GetUnchecked", "_PyThreadState_UncheckedGet"}) &&
         find(api.ensure, {"PyGILState_Ensure"}) && find(api.release, {"PyGILState_Release"}) &&
         find(api.disable_collector, {"PyGC_Disable"}) && find(api.enable_collector, {"PyGC_Enable"}) &&
         find(api.take_error, {"PyErr_Fetch"}) && find(api.restore_error, {"PyErr_Restore"}) &&
         find(api.clear_error, {"PyErr_Clear"}) && find(api.forget, {"Py_DecRef"}) &&
         find(api.frame_of, {"PyThreadState_GetFrame"}) && find(api.frame_back, {"PyFrame_GetBack"}) &&
         find(api.frame_code, {"PyFrame_GetCode"}) && find(api.frame_line, {"PyFrame_GetLineNumber"}) &&
         find(api.attribute, {"PyObject_GetAttrString"}) && find(api.item, {"PyMapping_GetItemString"}) &&
         find(api.dict_item, {"PyDict_GetItemString"}) && find(api.dict_next, {"PyDict_Next"}) &&
         find(api.instance_dict, {"PyObject_GenericGetDict"}) && find(api.type_of, {"PyObject_Type"}) &&
         find(api.is_subtype, {"PyType_IsSubtype"}) && find(api.imported_modules, {"PyImport_GetModuleDict"}) &&
         find(api.encoded, {"PyUnicode_AsEncodedString"}) && find(api.bytes, {"PyBytes_AsStringAndSize"}) &&
         find(api.dict_type, {"PyDict_Type"});
}

}  // namespace

const Api* api() {
  // A program may bring Python in after its first calls. What two threads find is the same.
  static std::atomic<const Api*> found{nullptr};
  if (found.load(std::memory_order_acquire) == nullptr) {
    auto* fresh = new Api;
    const Api* none = nullptr;
    if (!find_all(*fresh) || !found.compare_exchange_strong(none, fresh)) delete fresh;
  }
  const Api* api = found.load(std::memory_order_acquire);
  if (api == nullptr || api->is_initialized() == 0 || api->is_finalizing() != 0) return nullptr;
  return std::strstr(api->version(), "free-threading") == nullptr ? api : nullptr;
}

std::string text_of(const Api& api, Object* object) {
  if (object == nullptr) return {};
  const Ref encoded(api, api.encoded(object, "utf-8", "backslashreplace"));
  char* bytes = nullptr;
  ssize_t size = 0;
  if (!encoded || api.bytes(encoded.get(), &bytes, &size) != 0) {
    api.clear_error();
    return {};
  }
  return {bytes, static_cast<std::size_t>(size)};
}

std::string text_attribute(const Api& api, Object* object, const char* name) {
  return text_of(api, Ref(api, api.attribute(object, name)).get());
}

bool is_dict(const Api& api, Object* object) {
  const Ref type(api, api.type_of(object));
  return type && api.is_subtype(type.get(), api.dict_type) != 0;
}

}  // namespace opcov::python
