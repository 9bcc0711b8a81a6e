// How halo data is handed to the message-passing library: the values of --halo.
#pragma once

#include <array>
#include <string_view>

namespace memstencil::himeno {

/// Device buffers, host-pinned ones that the kernels pack into and unpack from, or NCCL.
enum class HaloPath { Auto, Device, Staged, Nccl };
inline constexpr std::array all_halo_paths{HaloPath::Auto, HaloPath::Device, HaloPath::Staged,
                                           HaloPath::Nccl};
std::string_view name(HaloPath path);

}  // namespace memstencil::himeno
