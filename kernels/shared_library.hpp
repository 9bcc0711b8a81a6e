// A library that is looked up when it is first wanted. A program starts without it, too, and says
// that it is missing.
#pragma once

#include <dlfcn.h>
#include <link.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// Opened once and kept: what was made with it may live as long as the program.
class SharedLibrary {
public:
  /// `name` as the loader looks for it ("libnccl.so.2"), `package` as a user knows it ("NCCL").
  SharedLibrary(std::string name, std::string package)
      : name_(std::move(name)),
        package_(std::move(package)),
        opened_(dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (opened_ == nullptr) said_ = dlerror();
  }

  /// The reason why it cannot be used; empty if it was found and loaded.
  std::string refused() const {
    if (opened_ != nullptr) return {};
    if (said_.find("No such file") == std::string::npos)
      return name_ + " cannot be loaded: " + said_;
    return name_ + " is not found: load the module of " + package_ +
           ", or name its folder in LD_LIBRARY_PATH";
  }

  /// The function of that name, with the type of its header's
  /// declaration; null if there is none.
  template <class Function>
  Function* find(const char* name) const {
    return opened_ != nullptr ? reinterpret_cast<Function*>(dlsym(opened_, name)) : nullptr;
  }

  /// The same. @throws std::runtime_error if there is none
  template <class Function>
  Function* function(const char* name) const {
    Function* const found = find<Function>(name);
    if (found == nullptr) throw std::runtime_error(name_ + " has no " + name);
    return found;
  }

private:
  std::string name_, package_, said_;  ///< the last is the loader's reason
  void* opened_;
};

/// From here on no loaded library whose path has `part` in it is unloaded before the program ends.
inline void keep_loaded(const std::string& part) {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        static_cast<std::vector<std::string>*>(found)->emplace_back(library->dlpi_name);
        return 0;
      },
      &paths);
  for (const std::string& path : paths)
    if (path.find(part) != std::string::npos)
      dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace memstencil
