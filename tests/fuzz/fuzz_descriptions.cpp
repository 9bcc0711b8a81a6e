// Any bytes as a description of a machine (--machine) and as published figures (--reference).
#include "app/base/machine/machine_description.hpp"
#include "app/compare/judge/references.hpp"
#include "tests/fuzz/fuzz_support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memstencil;
  static const MemoryFile file;
  file.write(text_of(data, size));
  may_refuse([] { read_machine_description(file.path()); });
  may_refuse([] { compare::read_reference(file.path()); });
  return 0;
}
