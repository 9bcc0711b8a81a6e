// What a thread of probe issue has to end with: worked out on the host, independently of the kernels.
#pragma once

#include "kernels/probes/issue.hpp"

namespace memstencil::membench {

/// The result of a thread in lane `lane` after `instructions` instructions of the kind (a multiple of
/// ilp), in `ilp` independent ones.
double expected_result(probes::Instruction instruction, int ilp, int lane, int instructions);

/// How far from it the GPU may be: 0 but for the approximations of the special function units.
double allowed_error(probes::Instruction instruction, int ilp);

}  // namespace memstencil::membench
