// The ways that messages of a halo can go: the values of --halo.
#include "app/himeno/halo_path.hpp"

namespace memstencil::himeno {

std::string_view name(HaloPath path) {
  switch (path) {
    case HaloPath::Auto:
      return "auto";
    case HaloPath::Device:
      return "device";
    case HaloPath::Staged:
      return "staged";
    case HaloPath::Nccl:
      return "nccl";
  }
  return "?";
}

}  // namespace memstencil::himeno
