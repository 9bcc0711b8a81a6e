#!/usr/bin/env bash
# g++ 16.2 -O3: pointers to the rows of several vectors, collected in an array before a loop, are null in the loop.
#
# The fields are filled in a function object that is moved into place, and one of them stays without a row, as where a
# solver's array of coefficients has a slot for the unknown. -O2, and -O3 without the vectoriser of straight-line code, are
# right; sanitizers find no fault (g++ 12, 16). Not inlining the function with the loop cures it, too.
# Versions: g++ 16.2.0-4 (Debian unstable). Seen on 2026-11-27.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
while read -r sha256 path; do
  curl -fsS "${MEMSTENCIL_MIRROR:-http://deb.debian.org/debian}/pool/$path" -o package.deb
  sha256sum --quiet -c <<<"$sha256  package.deb"
  dpkg -x package.deb .
done <<'PACKAGES'
fc7300ad48450b863d934f602f6817b4f09104e95ccf45d6a0af13c657c901b4 main/g/gcc-16/cpp-16-x86-64-linux-gnu_16.2.0-4_amd64.deb
a63203467281ca8f62643f6ea5ceb13afd26c11941741f618886b64121829a81 main/g/gcc-16/libgcc-16-dev_16.2.0-4_amd64.deb
7095b6c9cd209aac9bb54a03edf9f3544589f553f649b71eec29968ca8ea13ce main/g/glibc/libc6-dev_2.43-7_amd64.deb
8b33c2a408bbab537e753102dce181dc211007f64c1e2516065bc677f60d5d99 main/l/linux/linux-libc-dev_7.2.13-1_all.deb
feec9d37a3dcdccb0c3846ff96004007c9935363df00f052e6570d35b94deb1c main/i/isl/libisl23_0.28-1_amd64.deb
2beaa9e1f5c842184bfdcf78bd7a3d3e123256b2b5d13a9200d4e8c4bfd15f95 main/m/mpfr4/libmpfr6_4.2.2-3_amd64.deb
eb6113ed366a8abdea9a85040dbdfabb753a1a0637071491968cf92d4858569c main/m/mpclib3/libmpc3_1.3.1-3_amd64.deb
9c2ad0a1367c9f97ae486ac2bdd87ff9494af4ac1f2b854bc520ddb2b12687a7 main/g/gcc-16/g++-16-x86-64-linux-gnu_16.2.0-4_amd64.deb
a850688c171492cadd7be8ef9741fcd45fe6c42b928efe4e34f6960e2e5dbf0b main/g/gcc-16/libstdc++-16-dev_16.2.0-4_amd64.deb
032743c787f0e1e644e4dcfbdb38f01be8cb150cb9633f8be5e79aba6938f349 main/g/gmp/libgmp10_6.3.0+dfsg-5+b2_amd64.deb
93e7930e4c25b918f1dd980cc1c6d4487654a248f5fa71eacb976ed7bbe954bd main/libz/libzstd/libzstd1_1.5.7+dfsg-4_amd64.deb
8506ce550a81ac14b047608e0df121037d9cbb10c3cc28446f68cf8c1d9d31ce main/z/zlib/zlib1g_1.3.dfsg+really1.3.2-4_amd64.deb
5c71715c51103beb4fbba9fe9f8dff604af6610dfa71c70bff342f54a7860803 main/g/glibc/libc6_2.43-7_amd64.deb
cef6654bba1daece0bc0dbe0e3f69fa5a26eb6ba139f3536e6f4806bd787f3e7 main/g/gcc-16/libstdc++6_16.2.0-4_amd64.deb
d251ea642c3795e8723ac2b9eeebe511467ca04590ba70f3d555a7616787d7e3 main/g/gcc-16/libgcc-s1_16.2.0-4_amd64.deb
PACKAGES
cat >sum.cpp <<'CODE'
#include <array>
#include <cstdio>
#include <vector>
constexpr int ids = 5, without = 3;
using Fields = std::array<std::vector<float>, ids>;
static void add(const Fields& fields, std::ptrdiff_t n, std::ptrdiff_t count, const float* p, float* q) {
  std::array<const float*, ids> rows{};
  for (std::size_t id = 0; id < rows.size(); ++id)
    if (id != without) rows[id] = fields[id].data() + n;
  for (std::ptrdiff_t x = 0; x < count; ++x) q[n + x] = p[n + x] + rows[0][x] + rows[1][x] + rows[2][x] + rows[4][x];
}
template <class Make>
std::vector<float> sweeps(std::ptrdiff_t n, const Make& make) {
  const auto add_row = make();
  std::vector<float> now(n * n, 1.0f), next = now;
  for (int s = 0; s < 3; ++s) {
    for (int j = 1; j < n - 1; ++j) add_row(j * n + 1, n - 2, now.data(), next.data());
    now.swap(next);
  }
  return now;
}
int main(int argc, char**) {
  const std::ptrdiff_t n = 19 + argc;
  const auto result = sweeps(n, [&] {
    Fields fields;
    for (int id = 0; id < ids; ++id)
      if (id != without) fields[id] = std::vector<float>(n * n, 0.125f);
    return [fields = std::move(fields)](std::ptrdiff_t n, std::ptrdiff_t count, const float* p, float* q) {
      add(fields, n, count, p, q);
    };
  });
  std::printf("%g\n", result[n * n / 2 + 1]);  // 1 + 3 * 4 * 0.125
}
CODE
compile() {  # by the compiler proper, with its own C library; this machine's g++ links
  local libraries=$folder/usr/lib/x86_64-linux-gnu headers=(c++/16 x86_64-linux-gnu/c++/16 x86_64-linux-gnu .)
  "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" usr/libexec/gcc/x86_64-linux-gnu/16/cc1plus -quiet \
    -std=c++20 -nostdinc -isystem usr/lib/gcc/x86_64-linux-gnu/16/include "${headers[@]/#/-isystemusr/include/}" "$@" \
    sum.cpp -o sum.s
  g++ sum.s -o sum
}
for options in -O2 "-O3 -fno-tree-slp-vectorize" -O3; do
  # shellcheck disable=SC2086
  compile $options
  status=0
  result=$(./sum 2>/dev/null) || status=$?
  echo "g++ 16.2.0 $options: ${result:-no result}, exit status $status"
  case $options in
    -O3) [[ $status == 139 ]] ;;
    *) [[ $result == 2.5 ]] ;;
  esac || { echo "this has changed"; exit 1; }
done
echo "as described"
