// Facts of this build: revision, compiler and its flags, libraries.
#pragma once

#include "app/base/record/record.hpp"

#include <string>
#include <string_view>

namespace memstencil {

/// The record `machine.program`.
Record program_record();
/// The text of --version: "PROGRAM 0.1.0 (git 1234abcd), GNU 12.2.0, Release (C++: -O3 -DNDEBUG),
/// Kokkos 4.7.0 (NATIVE), GPU backend CUDA 13.0, MPI ..."
std::string version_text(const std::string& program);

/// Was timed code compiled with optimisation?
bool optimised();
/// Why a build's speeds mean nothing: it is a Debug build, or not optimised; empty otherwise.
std::string slow_build_text(std::string_view build_type, bool optimised);
/// The same of this build.
std::string slow_build_text();

}  // namespace memstencil
