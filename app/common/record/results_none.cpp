// Results files of a program built without HDF5: refused, with the reason.
#include "app/common/ranks/collectively.hpp"
#include "app/common/record/results_file.hpp"
#include "app/common/record/results_reader.hpp"

namespace memstencil {

namespace {

[[noreturn]] void refuse() {
  throw CollectiveFailure(ExitCode::Machine,
                          "results files cannot be used: this program was built without HDF5");
}

}  // namespace

std::string hdf5_library() { return "none"; }

void check_output(const Communicator&, const std::string&, Existing, std::size_t) { refuse(); }

void write_run(const Communicator&, const std::string&, Existing, const Record&,
               const FieldBlock*) {
  refuse();
}

void serve_reader(int, const char* const*) {}

ResultsFile::ResultsFile(const std::string&) { refuse(); }
std::vector<std::string> ResultsFile::runs() const { refuse(); }
const Record& ResultsFile::run(const std::string&) const { refuse(); }
StoredField ResultsFile::field(const std::string&, const std::string&) const { refuse(); }

}  // namespace memstencil
