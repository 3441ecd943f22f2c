// Decides for itself what is recorded, and where: argv[1].
#include <ATen/ATen.h>
#include <opcov/opcov.h>
#include <opcov/stage.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto x = at::ones({2, 3}), w = at::ones({4, 3});
  at::linear(x, w);  // before start: not recorded

  opcov::start({{"OPCOV_DIR", argv[1]}, {"OPCOV_OPS", "aten::linear"}});
  if (!opcov::recording()) return 3;
  {
    const opcov::StageScope stage("dit");
    at::linear(x, w);
    {
      const opcov::StageScope inner("vae");
      at::linear(x, w);
    }
    at::linear(x, w);
    opcov::pause();
    at::linear(x, w);
    opcov::resume();
  }
  at::linear(x, w);
  std::printf("%s\n", opcov::record_file().c_str());
  opcov::stop();
  at::linear(x, w);  // after stop: not recorded
  return opcov::recording() ? 4 : 0;
}
