// The head of every text report: what runs where, from the facts of the machine.
#pragma once

#include "app/common/machine/machine_facts.hpp"
#include "app/common/record/provenance.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

using Lines = std::vector<std::pair<std::string, std::string>>;

/// A value without the quotes that JSON has around a text.
std::string plain_text(const Record& value);

/// Program (of this name), MPI, host, GPU, and the origin of the result; nothing where the facts
/// of the program are not known.
Lines banner(const std::string& name, const MachineFacts& machine,
             const std::optional<Provenance>& provenance);

}  // namespace memstencil
