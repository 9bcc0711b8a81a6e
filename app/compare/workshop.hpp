// A hidden folder in which plots are drawn, and the Python that draws them there.
#pragma once

#include "app/compare/spawn.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace memstencil::compare {

/// Gone with this object. What kill -9 leaves of one, the next in the same place removes.
class Workshop {
public:
  /// @throws Failure(Other) where the folder takes no other
  explicit Workshop(const std::filesystem::path& parent);
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  /// Absolute. What Python keeps for itself lies in a folder of it.
  const std::filesystem::path& path() const { return path_; }

  /// Runs a Python script with the workshop as its current folder, so that neither code nor
  /// settings lie there, and with none of the settings of the user's Python but PYTHONPATH, which
  /// Spack needs.
  /// @param seconds after these it is ended, and the errors say so
  Ended run_python(const std::string& python, int seconds,
                   const std::vector<std::string>& arguments, const std::string& input) const;

  /// Is it the name of such a folder?
  static bool is_named(const std::filesystem::path& path);

private:
  std::filesystem::path path_;
  int held_ = -1;  ///< locked while this object lives
};

}  // namespace memstencil::compare
