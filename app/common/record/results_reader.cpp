// Results files are read by HDF5 in a process of its own, which may die of a damaged one.
//
// HDF5 1.10 cannot be trusted with damaged bytes: what has no checksum in its format (the global
// heap with all texts, the old headers) it follows out of its memory, and after an error inside an
// object's header it cannot end ("infinite loop closing library"), though every handle is closed.
#include "app/common/record/results_reader.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/common/record/checksum.hpp"
#include "app/common/record/hdf5_field.hpp"
#include "app/common/record/hdf5_handle.hpp"
#include "app/common/record/hdf5_record.hpp"
#include "app/common/record/results_file.hpp"
#include "app/common/runtime/child.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace memstencil {

namespace {

constexpr std::string_view flag = "--read-results-file";
constexpr std::array<const char*, 3> question_names{"check", "runs", "field"};
constexpr std::size_t most_bytes = std::size_t{1} << 30;
// The asking process holds an answer as text and as a record, in less than 1 GB.
constexpr std::size_t longest_answer = most_bytes / 4;
constexpr std::size_t most_values = 25'000'000;

#ifdef __SANITIZE_ADDRESS__  // its shadow memory is larger than any limit
constexpr bool address_sanitizer = true;
#else
constexpr bool address_sanitizer = false;
#endif
constexpr int slower = address_sanitizer ? 3 : 1;
constexpr int cpu_seconds = 9 * slower;    // with the start of who asks less than 10 s in all
constexpr unsigned seconds = 60 * slower;  // for machines that are busy

bool serves = false;

Failure unreadable(const std::string& path, const std::string& why) {
  return Failure(ExitCode::Other, fmt::format("cannot read {}: {}", path, why));
}

/// "4096 116 ...": pages that the process has by now, of which HDF5 needs none.
std::size_t bytes_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// The soft limit is below the hard one: Linux looks at that first, and ends by SIGKILL who reaches
/// it, which says nothing of the reason.
void limit(int resource, rlim_t most) {
  const auto which = static_cast<__rlimit_resource>(resource);
  struct rlimit both {};
  getrlimit(which, &both);
  both.rlim_max = std::min(both.rlim_max, most + 1);
  both.rlim_cur = std::min(both.rlim_max, most);
  setrlimit(which, &both);
}

/// Signals that the parent ignores or blocks would be so here, too.
void let_end(const std::array<int, 2>& signals) {
  sigset_t all;
  sigemptyset(&all);
  for (const int signal : signals) {
    std::signal(signal, SIG_DFL);
    sigaddset(&all, signal);
  }
  sigprocmask(SIG_UNBLOCK, &all, nullptr);
}

/// A damaged file may ask for any amount: only this process gives it, within limits.
void bound_this_process(std::size_t more) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  let_end({SIGXCPU, SIGALRM});
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, cpu_seconds);
  if (!address_sanitizer) limit(RLIMIT_AS, bytes_in_use() + most_bytes + more);
  alarm(seconds);
}

hdf5::Handle open_results(const std::string& path) {
  if (H5Fis_hdf5(path.c_str()) <= 0) throw Failure(ExitCode::Other, "it is not an HDF5 file");
  hdf5::Handle file = hdf5::open_file(path, hdf5::Access::Read, "it cannot be opened");
  if (hdf5::read_attribute(file, "schema") != results_schema)
    throw Failure(ExitCode::Other, "it is an HDF5 file, but holds no memstencil results");
  const Record version = hdf5::read_attribute(file, "schema_version");
  if (version != results_schema_version)
    throw Failure(ExitCode::Other,
                  fmt::format("its results have schema version {}, this program knows version {}",
                              version.dump(), results_schema_version));
  return file;
}

Record all_runs(hid_t file) {
  const hdf5::Handle runs = hdf5::open_group(file, "runs");
  auto names = hdf5::member_names(runs);
  // As text 10000 comes before 9999, and a file that another program copied may not know its order.
  std::ranges::stable_sort(names, {}, [](const std::string& name) {
    return run_number(name).value_or(std::numeric_limits<std::size_t>::max());
  });
  Record all = Record::object();
  hdf5::check_names(names.size());
  for (const std::string& name : names) all[name] = hdf5::read_record(hdf5::open_group(runs, name));
  return all;
}

Record field_of(hid_t file, const std::string& run, const std::string& name) {
  const StoredField field = hdf5::read_field(hdf5::open_group(file, "/runs/" + run), name);
  std::vector<std::uint8_t> bytes(field.values.size() * sizeof(float));
  std::memcpy(bytes.data(), field.values.data(), bytes.size());
  return {{"extents", field.extents}, {"values", Record::binary(std::move(bytes))}};
}

std::size_t values_in(const Record& record) {
  if (!record.is_structured()) return 1;
  std::size_t count = 0;
  for (const Record& each : record) count += values_in(each);
  return count;
}

Record answer(Reading question, const std::string& path,
              const std::vector<std::string>& arguments) {
  agrees_with_checksum(path);  // in here, because it reads as much as the file claims to hold
  const hdf5::Handle file = open_results(path);
  if (question == Reading::Field) return field_of(file, arguments.at(0), arguments.at(1));
  Record runs = all_runs(file);
  if (question == Reading::Check) return {};
  return runs;
}

std::vector<std::uint8_t> refused(ExitCode code, const std::string& line) {
  return Record::to_cbor(Record{{"code", static_cast<int>(code)}, {"line", line}});
}

std::vector<std::uint8_t> answer_or_failure(Reading question, const std::string& path,
                                            const std::vector<std::string>& arguments) {
  try {
    const Record told{{"answer", answer(question, path, arguments)}};
    if (values_in(told) <= most_values) {
      auto bytes = Record::to_cbor(told);
      if (bytes.size() <= longest_answer || question == Reading::Field) return bytes;
    }
    return refused(ExitCode::Other, "what it holds takes too much memory");
  } catch (...) {
    const Failure failure = as_failure(std::current_exception());
    return refused(failure.code(), failure.what());
  }
}

void write_all(const std::vector<std::uint8_t>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

/// Ends this process with a line where its memory ends. An exception would not do: a record that
/// is taken down asks for memory, too.
void tell_out_of_memory() {
  static const auto line = refused(ExitCode::Other, "reading it takes more than 1 GB of memory");
  std::set_new_handler([] {
    write_all(line);
    _exit(0);
  });
}

/// What is no file, or not for this user, needs no process apart.
void check_kind(const std::string& path) {
  namespace fs = std::filesystem;
  errno = 0;
  if (access(path.c_str(), R_OK) != 0) throw unreadable(path, std::strerror(errno));
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) throw unreadable(path, "it is a directory");
  if (!fs::is_regular_file(path, unknown)) throw unreadable(path, "it is not a regular file");
}

std::string end_of(const ChildResult& reader) {
  const int signal = reader.code - 128;
  if (signal == SIGXCPU)
    return fmt::format("damaged: reading it takes longer than {} s of a processor", cpu_seconds);
  if (signal == SIGALRM) return fmt::format("reading it takes longer than {} s", seconds);
  if (signal == SIGKILL)
    return "the process that reads it was ended from outside (signal 9): too little memory, or a "
           "limit of this shell";
  if (signal > 0) return fmt::format("damaged: the HDF5 library ended by signal {}", signal);
  if (reader.code == 127) return "no process can be started to read it: " + reader.errors;
  return fmt::format("damaged: the HDF5 library ended with code {}", reader.code);
}

}  // namespace

const std::chrono::seconds longest_reading(seconds);

void serve_reader(int argc, const char* const* argv) {
  serves = true;
  if (argc < 4 || argv[1] != flag) return;
  const auto name = std::ranges::find(question_names, std::string_view(argv[2]));
  const std::string path = argv[3];
  const auto question = static_cast<Reading>(name - question_names.begin());
  std::error_code unknown;
  bound_this_process(question == Reading::Field ? 4 * std::filesystem::file_size(path, unknown)
                                                : 0);
  tell_out_of_memory();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  write_all(answer_or_failure(question, path, {argv + 4, argv + argc}));
  _exit(0);  // not by way of the library's own end
}

Record ask_reader(Reading question, const std::string& path,
                  const std::vector<std::string>& arguments) {
  if (!serves) throw std::logic_error("a program that reads results has to call serve_reader()");
  check_kind(path);
  std::vector<std::string> command{"/proc/self/exe", std::string(flag),
                                   question_names.at(static_cast<std::size_t>(question)), path};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ChildResult reader = run_child(command, "");
  // The job was suspended, or others took the memory: the file may be good.
  if (reader.code == 128 + SIGALRM || reader.code == 128 + SIGKILL) reader = run_child(command, "");
  Record told = Record::from_cbor(reader.output, true, false);
  if (reader.code != 0 || !told.is_object()) throw unreadable(path, end_of(reader));
  if (told.contains("answer")) return std::move(told["answer"]);
  throw Failure(static_cast<ExitCode>(told.at("code").get<int>()),
                fmt::format("cannot read {}: {}", path, told.at("line").get<std::string>()));
}

}  // namespace memstencil
