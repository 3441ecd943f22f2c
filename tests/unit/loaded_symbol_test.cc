#include "base/loaded_symbol.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

namespace opcov {
namespace {

TEST(LoadedSymbol, AgreesWithTheLoaderOnWhatEverybodyCanSee) {
  for (const char* name : {"malloc", "dl_iterate_phdr", "environ", "_ZNSt13runtime_errorD1Ev", "XML_ParserCreate",
                           "AOTInductorModelContainerRun", "", "mallo", "malloc "})
    EXPECT_EQ(is_symbol_loaded(name), dlsym(RTLD_DEFAULT, name) != nullptr) << name;
}

TEST(LoadedSymbol, SeesALibraryThatSomebodyOpenedForHimselfWhileItIsOpen) {
  constexpr const char* kOnlyThere = "_ZGVbN2v_sin";  // on x86-64
  EXPECT_FALSE(is_symbol_loaded(kOnlyThere));
  void* library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(dlsym(RTLD_DEFAULT, kOnlyThere), nullptr);
  EXPECT_TRUE(is_symbol_loaded(kOnlyThere));
  dlclose(library);
  EXPECT_FALSE(is_symbol_loaded(kOnlyThere));
}

}  // namespace
}  // namespace opcov
