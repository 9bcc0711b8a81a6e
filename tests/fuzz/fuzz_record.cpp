// Any record as a run of a results file: read into its structs, and compared with itself.
#include "app/compare/read/run.hpp"
#include "app/compare/read/side.hpp"
#include "tests/fuzz/fuzz_support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memstencil;
  const Record record = Record::parse(text_of(data, size), nullptr, false);
  if (!record.is_object()) return 0;
  may_refuse([&] {
    const compare::Run run = compare::read_run("file.h5", "", record);
    compare::sides_of({run}, {});
  });
  return 0;
}
