#!/bin/bash
# quickstart bundle takes the archive of this version, whatever other bundles lie beside it, and names that alone.
# Usage: quickstart_bundle_test.sh SOURCE FOLDER. A stand-in for cmake makes an empty archive.
set -eu
source=$1 folder=$2
archive=memstencil-$(<"$source/VERSION")-bundle.tar.gz
rm -rf "$folder"
mkdir -p "$folder/build" "$folder/bin"
cp "$source/quickstart" "$source/VERSION" "$folder"
touch "$folder/build/CMakeCache.txt" "$folder/memstencil-0.0.0-bundle.tar.gz"  # configured by hand: used as it is
printf '#!/bin/bash\ntouch %q\n' "$folder/build/$archive" >"$folder/bin/cmake"
chmod +x "$folder/bin/cmake"
PATH=$folder/bin:$PATH "$folder/quickstart" bundle 2>"$folder/log"
if [[ $(tail -n 1 "$folder/log") != "quickstart: wrote $folder/$archive" || ! -e $folder/$archive ]]; then
  cat "$folder/log"
  exit 1
fi
