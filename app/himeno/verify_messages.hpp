// Verification of what ranks send each other: the messages of the timed part, and their path.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/himeno/halo.hpp"
#include "app/himeno/problem.hpp"

#include <cstdint>
#include <vector>

namespace memstencil::himeno {

/// All local points that other ranks own, or that a message brings beside these. Edges and corners
/// are in several of the boxes. Worked out apart from what Halo sends.
std::vector<Box> halo_boxes(const Subdomain& part);

/// Is p's halo what its owners have? Hashes of all slabs are compared, which go by MPI from host
/// memory. To be called before anything else is sent that would renew the halo. Collective.
/// @param sweep after which the last messages were sent, for the error
/// @throws CollectiveFailure(Verification) that names rank, slab and sweep
template <class Exec>
void verify_messages(const Exec& exec, const Subdomain& part, const float* p, std::int64_t sweep,
                     const Communicator& communicator);

/// Does an exchange bring every point of the halo, and change no other? Both p are filled with
/// values of the global index, the halo with NaN, and sent on the run's path; for two seeds. Leaves
/// other values in both p. Collective.
/// @throws CollectiveFailure(Verification) that names rank and point
template <class Exec>
void verify_path(const Exec& exec, const Subdomain& part, const Halo<Exec>& halo,
                 const jacobi::Arrays& arrays, const Communicator& communicator);

}  // namespace memstencil::himeno
