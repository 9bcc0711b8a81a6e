// The rehearsal of system-allocated memory on a GPU that does not reach it (docs/lab/
// grace-not-measured.md): its pages are registered with the driver, so that every line of the
// program runs. No figure of it is a measurement.
#pragma once

namespace memstencil {

/// Does the environment ask for it (MEMSTENCIL_REHEARSE=ats)? `value` of the variable; null: unset.
/// @throws UnsupportedSpace that names the valid value
bool asks_for_rehearsal(const char* value);
/// The same of this process' environment.
bool asks_for_rehearsal();

}  // namespace memstencil
