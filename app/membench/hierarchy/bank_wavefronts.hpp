// How many passes through shared memory an access of a warp takes, counted per bank.
#pragma once

namespace memstencil::membench {

/// Passes that the access of probes::congested_word() takes when words of `word_bytes` (4 or 8) lie in 32
/// banks of 4 bytes. Words of 8 bytes are read by half a warp at a time (as on every GPU since Volta that was
/// measured); on the GPU of paper 000 banks were 8 bytes wide, and the passes are the congestion for both.
int bank_wavefronts(unsigned congestion, int word_bytes);

}  // namespace memstencil::membench
