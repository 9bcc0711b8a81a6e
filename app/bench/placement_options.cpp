// The options of every application that ask where its arrays live and who computes.
#include "app/bench/placement_options.hpp"

#include "app/base/cli/numbers.hpp"

#include <CLI/CLI.hpp>

#include <stdexcept>
#include <vector>

namespace memstencil {

namespace {

void read_memspace(const std::string& text, PlacementOptions& options) {
  options.memspace_auto = text == "auto";
  if (options.memspace_auto) return;
  const auto space = memory_space_from_name(text);
  if (!space) {
    std::vector<std::string> names{"auto"};
    for (const MemorySpace each : all_memory_spaces) names.emplace_back(name(each));
    throw std::invalid_argument("'" + text + "' is not a memory space: valid are " +
                                memory_space_names(", ") + " and auto" + did_you_mean(text, names));
  }
  options.memspace = *space;
}

}  // namespace

void declare_placement_options(CommandLine& line, PlacementOptions& o) {
  line.subject("Memory and processor");
  line.custom(
      "--memspace", memory_space_names("|") + "|auto",
      [&o](const std::string& text) { read_memspace(text, o); },
      [&o] { return o.memspace_auto ? std::string("auto") : std::string(name(o.memspace)); },
      "Memory of the arrays: page-locked host memory, the GPU's own, managed (the driver moves its "
      "pages), or malloc's (system); auto: the first of device, system (with ATS) and host-pinned "
      "in which "
      "the run fits");
  line.flag("--oversubscribe", o.oversubscribe,
            "Let managed memory exceed what the GPU has free: never on a GPU that others use");
  line.choice("--exec", o.executor, all_executors,
              "Processor that computes (default: device where a GPU is there, host elsewhere)");
  line.integer(
      "--gpu", o.gpu, 0, 1023,
      "Number of the GPU for every rank of a node (default: local rank modulo number of GPUs)");
  line.choice("--first-touch", o.first_touch, all_executors,
              "Processor that initialises the arrays (default: the one of --exec)");
  line.flag("--prefetch", o.prefetch,
            "Prefetch managed memory to the processor that computes: before its first touch, or "
            "after that of the other one");
  line.choice("--advise", o.advice, all_advice, "Advice to the driver about managed memory");
  line.choice("--pages", o.pages, all_pages,
              "Pages of host memory: as the system is set, or transparent huge pages");
}

}  // namespace memstencil
