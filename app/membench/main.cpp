// membench: the probes that explain where the time goes in a memory system.
#include "app/bench/application.hpp"
#include "app/membench/core/program.hpp"

int main(int argc, char** argv) {
  return memstencil::application_main<memstencil::membench::Membench>(argc, argv);
}
