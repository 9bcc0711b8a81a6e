// Pins that a library which is kept stays, and that another goes.
#include "kernels/shared_library.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

bool is_loaded(const char* name) {
  void* const library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (library != nullptr) dlclose(library);
  return library != nullptr;
}

/// Opens a library of the C library's that no program here needs, and closes it.
void open_and_close(const char* name, bool keep) {
  ASSERT_FALSE(is_loaded(name));
  void* const library = dlopen(name, RTLD_LAZY);
  ASSERT_NE(library, nullptr) << dlerror();
  if (keep) keep_loaded(name);
  dlclose(library);
}

TEST(SharedLibrary, StaysLoadedWhereItIsKept) {
  constexpr const char *kept = "libanl.so.1", *other = "libnss_hesiod.so.2";
  open_and_close(kept, true);
  EXPECT_TRUE(is_loaded(kept));
  open_and_close(other, false);
  EXPECT_FALSE(is_loaded(other));
}

}  // namespace
}  // namespace memstencil
