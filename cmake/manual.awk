# From a program's --help: its manual page (kind=man), or its completion for bash (kind=completion).
# Variables: kind, program, version. The help has options as "  --name VALUES  text", or the text in the lines after.

function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  return text ~ /^[.']/ ? "\\&" text : text
}

function option(line) {
  match(line, /  +[^ ]/)  # the text, after the name
  name = RSTART ? substr(line, 1, RSTART - 1) : line
  text = RSTART ? substr(line, RSTART + RLENGTH - 1) : ""
}

kind == "man" && /^Usage: / {
  printf ".TH %s 1 \"\" \"memstencil %s\" \"memstencil\"\n.SH NAME\n", toupper(program), version
  printf "%s \\- %s\n.SH SYNOPSIS\n.B %s\n", roff(program), roff(about), roff(program)
  if (sub(/^Usage: [^ ]+ /, "")) print roff($0)
  begun = 1
  next
}
kind == "man" && !begun { about = about (about == "" ? "" : " ") $0; next }
kind == "man" && /^Example: / { print ".SH EXAMPLE\n.nf"; sub(/^Example: /, "") }
kind == "man" && /^[A-Z].*:$/ { printf ".SH %s\n", toupper(roff(substr($0, 1, length($0) - 1))); next }
kind == "man" && /^  -/ {
  option(substr($0, 3))
  printf ".TP\n.B %s\n", roff(name)
  if (text != "") print roff(text)
  next
}
kind == "man" && /^ *$/ { next }
kind == "man" { sub(/^ +/, ""); print roff($0); next }

/^  -/ {
  option(substr($0, 3))
  sub(/^-.,/, "", name)
  split(name, words, " ")
  all = all " " words[1]
  if (words[2] ~ /^[a-z0-9|:-]+\|[a-z0-9|:-]+$/) {
    gsub(/\|/, " ", words[2])
    choices = choices sprintf("    %s) words=\"%s\" ;;\n", words[1], words[2])
  }
}

END {
  if (kind != "completion") exit
  name = program
  gsub(/-/, "_", name)
  printf "_%s() {\n  local words=\n  case ${COMP_WORDS[COMP_CWORD - 1]} in\n%s", name, choices
  printf "    *) [[ ${COMP_WORDS[COMP_CWORD]} != -* ]] || words=\"%s\" ;;\n  esac\n", substr(all, 2)
  printf "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n}\n"
  printf "complete -o bashdefault -o default -F _%s %s\n", name, program
}
