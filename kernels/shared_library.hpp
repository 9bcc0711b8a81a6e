// A library that is looked up when it is first wanted: where it is missing a program starts, and says so.
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace memstencil {

/// Opened once and kept: what was made with it may live as long as the program.
class SharedLibrary {
public:
  /// `name` as the loader looks for it ("libnccl.so.2"), `package` as a user knows it ("NCCL").
  SharedLibrary(std::string name, std::string package)
      : name_(std::move(name)),
        package_(std::move(package)),
        opened_(dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL)) {}

  /// The reason why it cannot be used; empty where it was found.
  std::string refused() const {
    if (opened_ != nullptr) return {};
    return name_ + " is not found: load the module of " + package_ +
           ", or name its folder in LD_LIBRARY_PATH";
  }

  /// The function of that name, with the type of its header's declaration.
  /// @throws std::runtime_error where the library has none
  template <class Function>
  Function* function(const char* name) const {
    void* const found = opened_ != nullptr ? dlsym(opened_, name) : nullptr;
    if (found == nullptr) throw std::runtime_error(name_ + " has no " + name);
    return reinterpret_cast<Function*>(found);
  }

private:
  std::string name_, package_;
  void* opened_;
};

}  // namespace memstencil
