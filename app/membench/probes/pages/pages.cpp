// Probe pages: the cost of memory before its use: allocation, first touch, release.
#include "app/base/machine/machine_facts.hpp"
#include "app/membench/core/analysis.hpp"
#include "app/membench/core/memory.hpp"
#include "kernels/elapsed.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace memstencil::membench {

namespace {

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// A pool that has kept nothing; in another one a life finds the memory of the one before.
constexpr const char* first_life_of_pool = "fresh pool";

struct Kind {
  State& state;
  MemoryKind memory{*memory_space_from_name(state.text("memory")),
                    all_allocations[std::min(state.index("allocation"), 2)],
                    state.is("pages", "huge") ? Pages::Huge : Pages::Default};
  /// Does a pool have to get its memory from the driver?
  bool first_life = state.is("allocation", first_life_of_pool);
  Executor toucher = state.text("act").ends_with("device") ? Executor::Device : Executor::Host;
  bool fill = state.text("act").starts_with("first fill");
  bool prefetch = state.text("act").starts_with("prefetch");
};

/// Without a GPU all spaces are the same host memory; its honest name is `system`. A host's threads
/// come to their pages one after the other in any schedule; a GPU's meet in them.
bool is_there(const Row& row, const std::vector<Axis>&) {
  return gpu_count() > 0 || (row.is("memory", "system") && !row.text("act").ends_with("device"));
}

void leave_out_what_is_not_there(State& state, const Kind& kind, std::size_t bytes) {
  if (!why_not_allocation(kind.memory).empty()) state.leave_out();
  require_access(state, kind.memory, kind.toucher);
  require_pages(state, kind.memory, bytes);
  if (const std::string why = why_not_prefetch(kind.memory); kind.prefetch && !why.empty())
    state.leave_out(fmt::format("{} memory, prefetch: {}", state.text("memory"), why));
  if (kind.fill && !touch_makes_pages(kind.memory.space)) state.leave_out();
}

/// Allocates, has the pages made, checks the words written, and releases: seconds of making, of
/// allocation and of release.
std::vector<double> live(const Kind& kind, std::size_t bytes, const std::string& title) {
  const std::size_t count = bytes / sizeof(double), stride = page_bytes() / sizeof(double);
  const std::uint64_t seed = new_seed();
  const probes::PatternKernels& pattern = pattern_of(kind.toucher);
  std::unique_ptr<Buffer> buffer;
  if (kind.first_life) available_bytes(kind.memory.space);  // takes the pools' kept memory
  const double allocate =
      host_seconds([&] { buffer = std::make_unique<Buffer>(kind.memory, bytes); });
  auto* const data = static_cast<double*>(buffer->data());
  const double make = host_seconds([&] {
    if (kind.prefetch) prefetch(*buffer, kind.toucher);
    if (kind.fill)
      pattern.fill(data, count, seed);
    else
      pattern.write(data, count, stride, seed);
  });
  const std::size_t wrong = pattern.wrong(data, count, kind.fill ? 1 : stride, seed);
  verify(wrong == 0, fmt::format("{}: {} words are not what was written", title, wrong));
  return {make, allocate, host_seconds([&] { buffer.reset(); })};
}

void measure_life(State& state) {
  const Kind kind{state};
  const std::size_t bytes = state.bytes() / page_bytes() * page_bytes();
  if (bytes == 0)
    throw Failure(ExitCode::Machine,
                  fmt::format("{:.0f} bytes are less than a page, which has {} bytes here",
                              state.number("bytes"), page_bytes()));
  leave_out_what_is_not_there(state, kind, bytes);
  state.set("bytes", static_cast<double>(bytes));
  require_memory(kind.memory, bytes);
  state.sample({"make_seconds", "allocate_seconds", "free_seconds"},
               [&] { return live(kind, bytes, state.title()); });
  state.note(
      fmt::format("pages have {} bytes; transparent huge pages: {}", page_bytes(),
                  first_line("/sys/kernel/mm/transparent_hugepage/enabled").value_or("not known")));
}

/// Start and cost of a byte of an act: seconds = start + ns_per_byte * bytes, by least squares over
/// the sizes; with one size without a start.
Row cost(const Group& kind, const std::string& act, const std::string& column) {
  double start = 0, a_byte = kind.rows[0]->number(column) / kind.rows[0]->number("bytes");
  if (kind.rows.size() > 1) {
    // Relative errors: otherwise the largest size alone decides.
    std::vector<double> ones, inverse, relative(kind.rows.size(), 1);
    for (const Row* row : kind.rows) {
      ones.push_back(1 / row->number(column));
      inverse.push_back(row->number("bytes") / row->number(column));
    }
    const Fit fit = least_squares({ones, inverse}, relative);
    start = fit.coefficients[0];
    a_byte = fit.coefficients[1];
  }
  Row row = kind.like;
  row.set({{"act", act}, {"start_us", 1e6 * start}, {"ns_per_byte", 1e9 * a_byte}});
  return row;
}

/// Arrays that the host touches first stand for allocation and release, if it may touch them; a
/// fill by the device has a release of its own.
void costs(std::vector<Row>& rows, std::vector<Row>& more) {
  for (const Group& kind : groups(rows, {"memory", "allocation", "pages", "act"})) {
    const std::string act = kind.like.text("act");
    more.push_back(cost(kind, act, "make_seconds"));
    if (act == "first touch by host" ||
        (act == "first touch by device" && kind.like.is("memory", "device"))) {
      more.push_back(cost(kind, "allocate", "allocate_seconds"));
      more.push_back(cost(kind, "free", "free_seconds"));
    }
    if (act == "first fill by device")
      more.push_back(cost(kind, "free after fill by device", "free_seconds"));
  }
}

}  // namespace

extern const Probe pages_probe{
    .name = "pages",
    .summary = "allocation, first touch by host and by device, and release of memory",
    .source =
        "[tsukuba-thesis-2024], 2.5 (related work: first touch, page initialisation and size)",
    .counted = "seconds; by size a start and ns a byte",
    .needs = Needs::Host,
    .axes = [](bool) -> std::vector<Axis> {
      const double unit = gpu_count() > 0 ? 64. * mib : 16. * mib;
      return {sizes("bytes", {unit, 4 * unit, 16 * unit}),
              names("memory", {"host-pinned", "device", "managed", "system"}),
              names("allocation", {"default", "registered", "pool", first_life_of_pool}),
              names("pages", {"default", "huge"}),
              names("act", {"first touch by host", "first touch by device", "first fill by device",
                            "prefetch to device"})};
    },
    .is_there = is_there,
    .start = each_point<measure_life>,
    .derive = costs,
    .notes =
        {"a first touch writes one word into each page, the processor's threads share the "
         "pages; a first fill writes regions of 2 MiB from beginning to end; a prefetch includes "
         "a first touch after it",
         "make_seconds: of the act; the life of the memory goes on with a check and its release"},
    .sampling = {.warmups = 1, .fewest = 2, .most = 4},
    .paper_repeats = 4,
    .experiments = 5,
    .paper_experiments = 5};

}  // namespace memstencil::membench
