// One line in place of "Illegal instruction": a build is for the processor that it was made on
// (-march=native), and a login node is often another one than the compute node.
#if defined(__x86_64__)

#include <unistd.h>

#include <cstring>

// In instructions that each x86-64 has. The linker is told to take this file (CMakeLists.txt).
extern "C" __attribute__((target("arch=x86-64"), no_sanitize("address", "undefined"))) void
memstencil_check_processor(int, char** argv, char**) {
  __builtin_cpu_init();
  const char* lacks = nullptr;
#if defined(__AVX2__)
  if (__builtin_cpu_supports("avx2") == 0) lacks = "avx2";
#endif
#if defined(__FMA__)
  if (__builtin_cpu_supports("fma") == 0) lacks = "fma";
#endif
#if defined(__AVX512F__)
  if (__builtin_cpu_supports("avx512f") == 0) lacks = "avx512f";
#endif
#if defined(__AVX512VBMI__)
  if (__builtin_cpu_supports("avx512vbmi") == 0) lacks = "avx512vbmi";
#endif
  if (lacks == nullptr) return;
  constexpr int machine_cannot = 3;
  const char* const line[] = {argv[0], ": this processor lacks ", lacks,
                              ", which the program was built for: build it on the kind of node "
                              "that runs it, or name that processor (docs/building.md)\n"};
  for (const char* text : line)
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  _exit(machine_cannot);
}

// Functions of this section run before the constructors of shared libraries.
__attribute__((section(".preinit_array"),
               used)) void (*processor_first)(int, char**, char**) = memstencil_check_processor;

#endif
