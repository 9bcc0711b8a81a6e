#!/usr/bin/env bash
# With zfpy 1.0.1.post0 installed, `import numcodecs` fails, and so does `import zarr`, which needs it.
#
# zfpy is an optional codec, and numcodecs leaves it out if it is not there. If it is, each part of its version is made an
# integer, and "post0", a release with the same sources, is none. Neither package states a conflict, and pip installs both.
# Versions: numcodecs 0.16.6, zfpy 1.0.1.post0, Zarr 3.1.6 (PyPI). Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check numcodecs==0.16.6 zarr==3.1.6
"$folder/python/bin/python" -c 'import zarr; print("without zfpy: zarr", zarr.__version__)'
"$folder/python/bin/pip" install --quiet --disable-pip-version-check zfpy==1.0.1.post0
for module in zfpy numcodecs zarr; do
  code=0
  "$folder/python/bin/python" -c "import $module" 2>"$folder/log" || code=$?
  echo "with zfpy 1.0.1.post0: import $module ends with $code $(tail -1 "$folder/log")"
  [[ $module:$code == zfpy:0 || $module != zfpy && $code == 1 ]] || { echo "this has changed"; exit 1; }
  [[ $module == zfpy ]] || grep -q "ValueError.*post0" "$folder/log" || { echo "this has changed"; exit 1; }
done
echo "as described"
