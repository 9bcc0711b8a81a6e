// The ways that messages of a halo can go: the values of --halo.
#pragma once

#include <array>
#include <string_view>

namespace memstencil::himeno {

/// MPI from buffers of the device; MPI from host-pinned ones that the kernels pack into and unpack from; or
/// NCCL from buffers of the device.
enum class HaloPath { Auto, Device, Staged, Nccl };
inline constexpr std::array all_halo_paths{HaloPath::Auto, HaloPath::Device, HaloPath::Staged,
                                           HaloPath::Nccl};
std::string_view name(HaloPath path);

}  // namespace memstencil::himeno
