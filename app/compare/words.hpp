// The words of a report, explained once at its end.
#pragma once

#include "app/compare/report.hpp"

namespace memstencil::compare {

/// A paragraph a term.
inline Section words() {
  return {
      .title = "Words",
      .paragraphs = {
          "XS, S, M, L, XL: Himeno grids of 32x32x64, 64x64x128, 128x128x256, "
          "256x256x512 and 512x512x1024 points, in 14 arrays of floats: 3.7 MB, 29 MB, "
          "235 MB, 1.9 GB and 15 GB.",
          "single, temporal:T: one sweep a pass over memory, or T sweeps fused in a pass.",
          "device, managed, host-pinned, system: the memory of the arrays (--memspace): "
          "cudaMalloc, cudaMallocManaged (pages move to whom touches them), page-locked host "
          "memory that a GPU reads over the link, malloc. In a build without GPU all four "
          "are the host's memory.",
          "filled by host: the host wrote the arrays first (--first-touch host), so that pages "
          "began on its side. Where nothing is said, the processor that computes filled them.",
          "set-up: what comes before the first sweep: allocation, filling (himeno's phase "
          "initialise), copies. pinned buffer: page-locked host memory through which the host "
          "fills device memory.",
          "of limit: the bandwidth reached, over the one that the same run measured for "
          "its memory by a copy, a read stream or a transfer over the link. Fused sweeps "
          "share their traffic, and may be above 100 %.",
          "of theory: the same over the figure in the machine's description.",
          "spread of runs: (greatest - least) / middle of several runs of one case. A lead "
          "inside it says nothing. Where no case ran twice, 5 % is assumed.",
          "extrapolated: a run of fewer sweeps, whose pace is steady, brought to the common "
          "number at the pace of its second half.",
          "upload: a copy to device memory, or a prefetch. download: all of the result comes to "
          "the host, by a copy, by a prefetch, or because all its threads read it where it lies.",
          "equally fast sweeps: their medians differ by less than their spread, the middle half "
          "of the second half of the sweeps, or by less than 2 %.",
          "slow sweeps, beyond the pace of the median: what the sweeps took together above their "
          "number times the median.",
          "ATS, HMM: how a GPU reaches memory of malloc: through the processor's own "
          "page tables (GH200), or by the Linux kernel, which moves pages at its "
          "faults. \"none\": not at all.",
          "HtoD, DtoH: from host to device memory over the link, and back."}};
}

}  // namespace memstencil::compare
