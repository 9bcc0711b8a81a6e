// The GPU's driver in a build without NVML's header: it cannot be asked.
#include "app/base/machine/nvml.hpp"

namespace memstencil {

Nvml::Nvml(const std::string&, const std::string& library)
    : library_(library, "NVIDIA's driver"),
      refused_("this program was built without NVML's header (nvml.h of the CUDA toolkit)") {}
Nvml::~Nvml() = default;

Nvml::Facts Nvml::facts() const {
  Facts none;
  none.refused = refused_;
  return none;
}
std::optional<double> Nvml::joules() const { return std::nullopt; }
GpuClocks Nvml::clocks() const { return {}; }
GpuMoment Nvml::moment() const { return {}; }

}  // namespace memstencil
