#include <opcov/opcov.h>
#include <opcov/stage.h>

#include <stdexcept>

int main() {
  try {
    opcov::start({{"OPCOV_NO_SUCH_SETTING", "1"}});
  } catch (const std::invalid_argument&) {
    return opcov::recording() ? 2 : 0;
  }
  return 1;
}
