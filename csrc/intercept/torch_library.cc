// What happens when libopcov is loaded: its operators for Python are registered (torch.ops.opcov.*), and OPCOV=1
// starts a recording, so that a program which only links the library needs no line of code for it.

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <string>
#include <vector>

#include "base/say.h"
#include "base/settings.h"
#include "intercept/recorder.h"
#include "opcov/opcov.h"

namespace opcov {
namespace {

void start_from_python(const std::vector<std::string>& settings) {
  Settings pairs;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    TORCH_CHECK_VALUE(equals != std::string::npos, "opcov: '", setting, "' is no NAME=VALUE");
    pairs.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  try {
    start(pairs);
  } catch (const std::invalid_argument& error) {
    TORCH_CHECK_VALUE(false, "opcov: ", error.what());
  }
}

void set_rank_from_python(std::int64_t rank, std::int64_t world_size) {
  set_rank(static_cast<int>(rank), static_cast<int>(world_size));
}

void note_from_python(const std::string& kind, std::int64_t count, const std::string& text) {
  recorder::note(kind, static_cast<std::uint64_t>(count), text);
}

void register_operators() {
  // Kept for good, as the library itself is.
  auto* library = new torch::Library(torch::Library::DEF, "opcov", std::nullopt, __FILE__, __LINE__);
  library->def("start(str[] settings) -> ()", start_from_python);
  library->def("stop() -> ()", [] { return stop(); });
  library->def("pause() -> ()", [] { return pause(); });
  library->def("resume() -> ()", [] { return resume(); });
  library->def("flush() -> ()", [] { return flush(); });
  library->def("reset() -> ()", [] { return reset(); });
  library->def("note(str kind, int count, str text) -> ()", note_from_python);
  library->def("recording() -> bool", [] { return recording(); });
  library->def("record_file() -> str", [] { return record_file(); });
  library->def("set_rank(int rank, int world_size) -> ()", set_rank_from_python);
}

/// An exception here would leave a static initialiser, and end the host program.
bool load() noexcept {
  try {
    recorder::prepare_process();
    if (c10::Dispatcher::singleton().findSchema({"opcov::start", ""})) {
      const std::string reason = "a second libopcov was loaded; the first one records, this one does nothing";
      say(reason);
      recorder::refuse(reason);
      return false;
    }
    register_operators();
    for (const auto& [name, value] : settings_from_environment())
      if (name == "OPCOV" && value != "0") {
        if (parse_settings(settings_from_environment()).on) start();
        break;
      }
  } catch (const std::exception& error) {
    say(std::string(error.what()) + "; recording stays off");
  }
  return true;
}

const bool g_loaded = load();

}  // namespace
}  // namespace opcov
