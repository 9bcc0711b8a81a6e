// "Is this normal?": a machine's results next to the kept sample of the same GPU.
#pragma once

#include "app/compare/read/side.hpp"
#include "app/compare/show/table.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace memstencil::compare {

/// The runs of the kept sample of the GPU that `mine` used: equal in name, memory and power limit;
/// of several samples the one with most cases in common.
/// @param kept a folder with a folder for each sample
/// @throws Failure(Machine) if none is kept: the line names the nearest one; as read_runs()
std::vector<Run> known_runs(const std::vector<Run>& mine, const std::filesystem::path& kept);

/// Figures of both, with their ratio, and the settings that differ: docs/compare.md has the
/// members.
/// @param sides the kept one, and the other
/// @throws Failure(Machine) if they have no himeno run or no rate of the link in common
Record known_record(const std::vector<Side>& sides);
std::vector<Section> known_sections(const Record& record);

}  // namespace memstencil::compare
