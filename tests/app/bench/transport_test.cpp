// Pins which transport the messages between ranks use, and why not another; and that all ranks
// offer the same.
#include "app/bench/transport.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/bench/placement.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/base/refusal.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {
namespace {

Placement placed_on(Executor executor, int ranks_of_gpu = 1) {
  Placement out{};
  out.space = MemorySpace::SystemAllocated;
  out.first_touch = out.executor = executor;
  out.ranks_of_gpu = ranks_of_gpu;
  return out;
}

std::string refusal_of(Transport asked, const Placement& placement) {
  return refusal(ExitCode::Machine,
                 [&] { agreed_transport("--halo", asked, placement, Communicator()); });
}

/// What the ranks use where they can use that: one rank sends nothing.
Transport of_ranks(Transport able) { return Communicator().size() > 1 ? able : Transport::None; }

TEST(MappedByOtherRanks, ArraysDoNotLieInAPool) {
  Placement placement = placed_on(Executor::Device);
  for (const auto& [allocation, when_mapped] :
       {std::pair{Allocation::Pool, Allocation::Default},
        {Allocation::Registered, Allocation::Registered},
        {Allocation::Compressible, Allocation::Compressible},
        {Allocation::Default, Allocation::Default}}) {
    placement.allocation = allocation;
    placement.mapped_by_ranks = false;
    EXPECT_EQ(placement.mapped_kind().allocation, allocation);
    placement.mapped_by_ranks = true;
    EXPECT_EQ(placement.mapped_kind().allocation, when_mapped);
    EXPECT_EQ(placement.kind().allocation, allocation);
  }
}

TEST(Transport, OfTheHostsKernelsIsStaged) {
  const Placement host = placed_on(Executor::Host);
  for (const auto asked : {std::optional<Transport>(), std::optional(Transport::Staged)})
    EXPECT_EQ(agreed_transport("--halo", asked, host, Communicator()), of_ranks(Transport::Staged));
  for (const Transport asked : {Transport::Device, Transport::Nccl, Transport::Peer})
    EXPECT_EQ(refusal_of(asked, host), "--halo " + std::string(name(asked)) +
                                           ": the kernels run on the host; use --halo staged");
}

TEST(Transport, OfRanksThatShareAGpuIsNeitherNcclNorPeer) {
  EXPECT_EQ(refusal_of(Transport::Nccl, placed_on(Executor::Device, 2)),
            "--halo nccl: 2 ranks share a GPU, and NCCL takes one rank a GPU; use --halo staged");
  EXPECT_EQ(refusal_of(Transport::Peer, placed_on(Executor::Device, 2)),
            "--halo peer: 2 ranks share a GPU, and peer takes one rank a GPU; use --halo staged");
}

TEST(Transport, IsPeerForArraysInDeviceMemoryAlone) {
  Placement placement = placed_on(Executor::Device);
  for (const MemorySpace space : all_memory_spaces) {
    placement.space = space;
    const std::string reason = why_not_stored_into(placement.kind());
    if (space == MemorySpace::Device) {
      EXPECT_EQ(reason, "");
      continue;
    }
    EXPECT_EQ(reason, "peer stores into device memory; " + std::string(name(space)) +
                          " arrays take device, nccl or staged");
    EXPECT_EQ(refusal_of(Transport::Peer, placement),
              "--halo peer: " + reason + "; use --halo staged");
    EXPECT_NE(agreed_transport("--halo", {}, placement, Communicator()), Transport::Peer);
  }
}

TEST(Transport, OfCompressibleMemoryIsNotPeer) {
  Placement placement = placed_on(Executor::Device);
  placement.allocation = Allocation::Compressible;
  EXPECT_EQ(refusal_of(Transport::Peer, placement),
            "--halo peer: no other process can map compressible memory; use --halo staged");
  EXPECT_NE(agreed_transport("--halo", {}, placement, Communicator()), Transport::Peer);
  for (const int ranks : {1, 2}) {
    placement.ranks = ranks;
    EXPECT_EQ(memspace_of(placement).allocation.ends_with("peer is passed over"), ranks > 1);
  }
}

TEST(Transport, IsDeviceWhereMpiTakesDevicePointers) {
  const Placement device = placed_on(Executor::Device);
  if (Communicator::gpu_aware())
    EXPECT_EQ(agreed_transport("--exchange", Transport::Device, device, Communicator()),
              of_ranks(Transport::Device));
  else
    EXPECT_EQ(
        refusal(ExitCode::Machine,
                [&] { agreed_transport("--exchange", Transport::Device, device, Communicator()); }),
        "--exchange device: this MPI (" + Communicator::library() +
            ") does not say that it takes device pointers; use --exchange staged");
}

TEST(Transport, OfDevicePointersHangsOnSwitchesThatTheLibraryTells) {
  if (!Communicator::library().starts_with("Open MPI")) GTEST_SKIP() << "names of Open MPI's";
  EXPECT_EQ(Communicator::gpu_switches().at("opal_built_with_cuda_support"),
            Communicator::gpu_aware() ? "1" : "0");
}

/// The choice of auto where only these transports can be used.
Transport chosen_of(const std::set<Transport>& able) {
  const auto refused = [&](Transport transport, const Placement&, const Communicator&) {
    return std::string(able.contains(transport) ? "" : "it cannot");
  };
  return agreed_transport("--halo", {}, placed_on(Executor::Device), Communicator(), refused);
}

TEST(Transport, IsTheFirstOfPeerDeviceNcclStaged) {
  if (Communicator().size() == 1) GTEST_SKIP() << "one rank sends nothing";
  using enum Transport;
  EXPECT_EQ(chosen_of({Peer, Device, Nccl}), Peer);
  EXPECT_EQ(chosen_of({Device, Nccl}), Device);
  EXPECT_EQ(chosen_of({Nccl}), Nccl);
  EXPECT_EQ(chosen_of({}), Staged);
}

TEST(Transport, ThatOneRankCannotUseIsUsedByNone) {
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  const bool last = ranks.rank() == ranks.size() - 1;
  const Placement one_differs = placed_on(last ? Executor::Host : Executor::Device);
  EXPECT_EQ(agreed_transport("--halo", {}, one_differs, ranks), Transport::Staged);
  EXPECT_NE(why_not_transport(Transport::Device, one_differs, ranks), "");
}

TEST(Transport, GivesEachRankAGpuOfItsNode) {
  for (int rank = 0; rank < 6; ++rank) EXPECT_EQ(gpu_of_rank({}, 4, rank), rank % 4);
  EXPECT_EQ(gpu_of_rank(2, 4, 0), 2);
  EXPECT_EQ(gpu_of_rank({}, 0, 3), -1);
  EXPECT_THROW(gpu_of_rank(4, 4, 0), Failure);
}

TEST(RanksOfAGpu, AreThoseThatNameTheSameOne) {
  const Communicator communicator;
  const int size = communicator.size();
  EXPECT_EQ(ranks_of_gpu(communicator, "one for all"), size);
  EXPECT_EQ(ranks_of_gpu(communicator, "gpu " + std::to_string(communicator.rank())), 1);
  // Two ranks a GPU, the last alone where their number is odd.
  const bool alone = size % 2 == 1 && communicator.rank() == size - 1;
  EXPECT_EQ(ranks_of_gpu(communicator, "gpu " + std::to_string(communicator.rank() / 2)),
            alone ? 1 : 2);
}

struct Offered {
  std::string why_not;
};

TEST(WhatOneRankCannotRun, NoneCan) {
  const Communicator communicator;
  std::vector<Offered> offered{{""}, {communicator.root() ? "too narrow" : ""}, {"needs a GPU"}};
  share_why_not(offered, communicator);
  EXPECT_EQ(offered[0].why_not, "");
  EXPECT_EQ(offered[1].why_not, communicator.root() ? "too narrow" : "another rank cannot run it");
  EXPECT_EQ(offered[2].why_not, "needs a GPU");
}

}  // namespace
}  // namespace memstencil
