// Knows nothing of opcov.
#include <ATen/ATen.h>

int main() {
  const auto x = at::ones({2, 3}), w = at::ones({4, 3});
  at::Tensor y;
  for (int i = 0; i < 7; ++i) y = at::linear(x, w);
  return y.sum().item<float>() == 24.0F ? 0 : 1;
}
