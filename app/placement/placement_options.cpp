// The options of every application that ask where its arrays live and who computes.
#include "app/placement/placement_options.hpp"

#include <stdexcept>

namespace memstencil {

namespace {

void read_memspace(const std::string& text, PlacementOptions& options) {
  options.memspace_auto = text == "auto";
  if (options.memspace_auto) return;
  const auto space = memory_space_from_name(text);
  if (!space)
    throw std::invalid_argument(
        "'" + text + "' is not a memory space: valid are host-pinned, device, managed, system and auto");
  options.memspace = *space;
}

}  // namespace

void declare_placement_options(CommandLine& line, PlacementOptions& o) {
  line.custom(
      "--memspace", "host-pinned|device|managed|system|auto",
      [&o](const std::string& text) { read_memspace(text, o); },
      [&o] { return o.memspace_auto ? std::string("auto") : std::string(name(o.memspace)); },
      "Where the arrays live");
  line.choice("--exec", o.executor, all_executors,
              "Who computes: the device where a GPU is there, or the host");
  line.integer("--gpu", o.gpu, 0, 1023,
               "GPU of every rank of a node (default: local rank modulo number of GPUs)");
  line.choice("--first-touch", o.first_touch, all_executors,
              "Who initialises the arrays (default: the executor)");
  line.flag("--prefetch", o.prefetch,
            "Prefetch managed memory to the executor: before it touches it first, or after the other has");
  line.choice("--advise", o.advice, all_advice, "Hint to the driver about managed memory");
  line.choice("--pages", o.pages, all_pages,
              "Pages of host memory: as the system is set, or transparent huge pages");
  line.text("--probes", o.probes, "A membench result to choose the memory space by")->type_name("FILE.h5");
}

}  // namespace memstencil
