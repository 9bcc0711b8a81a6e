// Facts of NVIDIA's driver that CUDA does not tell: limits, clocks, addressing mode, page migration.
#pragma once

#include "app/common/machine/machine_facts.hpp"

#include <filesystem>
#include <string>

namespace memstencil {

/// The facts wanted from the text of `nvidia-smi -q` for one GPU.
MachineFacts::Driver parse_nvidia_smi(const std::string& text);

/// parse_nvidia_smi() of what the program says of CUDA's GPU `index` within ten seconds. The GPU is
/// looked up through CUDA_VISIBLE_DEVICES, with the two numberings assumed equal otherwise.
MachineFacts::Driver nvidia_smi_facts(int index);

/// Parameters of the module nvidia_uvm that decide on migration and address translation, as text
/// under their own names; "not readable" where there are none. Files are read under `root`.
Record uvm_parameters(const std::filesystem::path& root);

}  // namespace memstencil
