// Pins where the sizes of the host's caches come from; and that a library which is kept stays
// loaded.
#include "kernels/host_caches.hpp"
#include "kernels/shared_library.hpp"

#include "tests/app/base/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <string>

namespace memstencil {
namespace {

// Grace: 64 KiB for instructions, 64 KiB for data, 1 MiB a core, 114 MiB for all.
TEST(HostCaches, OfGraceAsLinuxTells) {
  const TemporaryFolder folder;
  EXPECT_EQ(cache_bytes(folder.path(), 2), 0U);
  int n = 0;
  for (const auto& [level, size] :
       {std::pair{"1\n", "64K\n"}, {"1\n", "64K\n"}, {"2\n", "1024K\n"}, {"3\n", "116736K\n"}}) {
    const std::string index = "index" + std::to_string(n++);
    folder.write(index + "/level", level);
    folder.write(index + "/size", size);
  }
  EXPECT_EQ(cache_bytes(folder.path(), 2), std::size_t{1} << 20);
  EXPECT_EQ(cache_bytes(folder.path(), 3), std::size_t{114} << 20);
  EXPECT_EQ(cache_bytes(folder.path(), 4), 0U);
}

TEST(HostCaches, GrowWithTheirLevel) {
  EXPECT_GT(host_caches().second_level, 0U);
  EXPECT_GE(host_caches().last_level, host_caches().second_level);
}

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
