// Results files of a program built without HDF5: refused, with the reason.
#include "app/base/ranks/collectively.hpp"
#include "app/base/record/results_file.hpp"

namespace memstencil {

namespace {

[[noreturn]] void refuse() {
  throw CollectiveFailure(ExitCode::Machine,
                          "results files cannot be used: this program was built without HDF5");
}

}  // namespace

std::string hdf5_library() { return "HDF5 none"; }

void check_output(const Communicator&, const Output&, bool) { refuse(); }

std::string write_result(const Communicator&, const Output&, const std::string&, const Record&,
                         const FieldBlock*) {
  refuse();
}

Record read_result(const std::string&) { refuse(); }

}  // namespace memstencil
