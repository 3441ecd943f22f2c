// Entry point of the offline tool.
#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App app{"Which operator calls does a GPU program make, and which have been profiled?", "opcov"};
  app.set_version_flag("--version", OPCOV_VERSION);
  CLI11_PARSE(app, argc, argv);
  return 0;
}
