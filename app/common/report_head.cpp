// The head of every text report: what runs where, from the facts of the machine.
#include "app/common/report_head.hpp"

#include <fmt/format.h>

namespace memstencil {

std::string plain_text(const Record& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Lines banner(const Record& r) {
  const Record& machine = r["machine"];
  if (!machine.contains("program")) return {};
  const Record& program = machine["program"];
  Lines lines{{"program", fmt::format("{} {} (git {}), Kokkos {}, GPU backend {}", plain_text(r["program"]),
                                      plain_text(program["version"]), plain_text(program["git_revision"]),
                                      plain_text(program["kokkos"]), plain_text(program["gpu_backend"]))},
              {"MPI", fmt::format("{}, device pointers {}", plain_text(program["mpi"]["library"]),
                                  program["mpi"]["gpu_aware"] == true ? "accepted" : "not accepted")},
              {"host", plain_text(machine["cpu"]["model"])}};
  if (!machine["gpu"].is_null())
    lines.emplace_back(
        "GPU",
        fmt::format("{}, driver {}, address translation {}", plain_text(machine["gpu"]["name"]),
                    plain_text(machine["gpu"]["driver"]), plain_text(machine["gpu"]["address_translation"])));
  return lines;
}

}  // namespace memstencil
