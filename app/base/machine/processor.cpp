// One line in place of "Illegal instruction": a build is for the processor that it was made on
// (-march=native), and a login node is often another one than the compute node.
#if defined(__x86_64__)

#include <unistd.h>

#include <cstring>

// A compiler defines the macro of each feature that it may use as 1.
#define MEMSTENCIL_TEXT(macro) #macro
#define MEMSTENCIL_VALUE(macro) MEMSTENCIL_TEXT(macro)
#define MEMSTENCIL_NEEDS(macro, feature) \
  if (MEMSTENCIL_VALUE(macro)[0] == '1' && __builtin_cpu_supports(feature) == 0) lacks = feature

// In instructions that each x86-64 has. The linker is told to take this file (CMakeLists.txt).
extern "C" __attribute__((target("arch=x86-64"), no_sanitize("address", "undefined"))) void
memstencil_check_processor(int, char** argv, char**) {
  __builtin_cpu_init();
  const char* lacks = nullptr;
  MEMSTENCIL_NEEDS(__POPCNT__, "popcnt");
  MEMSTENCIL_NEEDS(__SSE4_2__, "sse4.2");
  MEMSTENCIL_NEEDS(__AVX__, "avx");
  MEMSTENCIL_NEEDS(__AES__, "aes");
  MEMSTENCIL_NEEDS(__PCLMUL__, "pclmul");
  MEMSTENCIL_NEEDS(__FMA4__, "fma4");
  MEMSTENCIL_NEEDS(__XOP__, "xop");
  MEMSTENCIL_NEEDS(__BMI__, "bmi");
  MEMSTENCIL_NEEDS(__BMI2__, "bmi2");
  MEMSTENCIL_NEEDS(__FMA__, "fma");
  MEMSTENCIL_NEEDS(__AVX2__, "avx2");
  MEMSTENCIL_NEEDS(__GFNI__, "gfni");
  MEMSTENCIL_NEEDS(__VPCLMULQDQ__, "vpclmulqdq");
  MEMSTENCIL_NEEDS(__AVX512F__, "avx512f");
  MEMSTENCIL_NEEDS(__AVX512CD__, "avx512cd");
  MEMSTENCIL_NEEDS(__AVX512BW__, "avx512bw");
  MEMSTENCIL_NEEDS(__AVX512DQ__, "avx512dq");
  MEMSTENCIL_NEEDS(__AVX512VL__, "avx512vl");
  MEMSTENCIL_NEEDS(__AVX512IFMA__, "avx512ifma");
  MEMSTENCIL_NEEDS(__AVX512VBMI__, "avx512vbmi");
  MEMSTENCIL_NEEDS(__AVX512VBMI2__, "avx512vbmi2");
  MEMSTENCIL_NEEDS(__AVX512VNNI__, "avx512vnni");
  MEMSTENCIL_NEEDS(__AVX512BITALG__, "avx512bitalg");
  MEMSTENCIL_NEEDS(__AVX512VPOPCNTDQ__, "avx512vpopcntdq");
  MEMSTENCIL_NEEDS(__AVX512BF16__, "avx512bf16");
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
