// Compiled as timed code is; the rest of app/base has an optimisation level of its own.

namespace memstencil {

/// As program_facts.hpp declares it, whose JSON this file's own library does not link.
bool optimised() {
#if defined(__OPTIMIZE__) && !defined(__CUDACC_DEBUG__)
  return true;
#else
  return false;
#endif
}

}  // namespace memstencil
