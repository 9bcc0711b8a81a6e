/* In place of programs, with the MPI at hand. himeno waits to be killed; transpose's ranks end with
   1, 2, ..., those of membench with 3, as in a refusal. */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strstr(argv[0], "/himeno")) sleep(100);
  MPI_Finalize();
  return strstr(argv[0], "/transpose") ? rank + 1 : 3;
}
