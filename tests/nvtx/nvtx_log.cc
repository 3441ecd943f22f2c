// What NVTX loads in place of a profiler where NVTX_INJECTION64_PATH names it: writes each range that a thread opens or
// closes as a line to the file that NVTX_LOG names: "{thread} open {name}", "{thread} close".
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {

void write_line(const std::string& text) {
  static const int file = open(std::getenv("NVTX_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const std::string line = std::to_string(gettid()) + " " + text + "\n";
  if (write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
}

int push(const char* name) {
  write_line(std::string("open ") + name);
  return 0;
}

int pop() {
  write_line("close");
  return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned int size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}
