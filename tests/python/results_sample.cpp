// Writes the file that results_file_test.py reads: results_sample FILE.h5
#include "app/base/record/results_file.hpp"

#include <numeric>

int main(int argc, char** argv) {
  using namespace memstencil;
  const ParallelRuntime runtime(argc, argv);
  if (argc != 2) return 2;
  const Communicator communicator;
  const Record record = {{"schema", results_schema},
                         {"schema_version", results_schema_version},
                         {"title", "Größe"},
                         {"long", std::string(70000, 'x')},
                         {"iterations", 3000},
                         {"gosa", 8.606862309e-04},
                         {"verified", true},
                         {"seconds", nullptr},
                         {"warnings", Record::array()},
                         {"memspace", {{"requested", "managed"}, {"effective", "host"}}},
                         {"extents", {2, 3, 4}},
                         {"sweeps", {{"seconds", {0.5, 0.25}}}},
                         {"names", {"a", "ü"}},
                         {"variants", {{{"name", "naive"}}, {{"name", "tiled"}}}}};
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 0.0f);
  const FieldBlock field{"pressure", {2, 3, 4}, {0, 0, 0}, {2, 3, 4}, values.data(), 4, 3};
  write_result(communicator, {argv[1], true}, "", record, &field);
  return 0;
}
