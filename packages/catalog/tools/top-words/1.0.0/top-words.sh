# top-words.sh ROWS [-s STOP_WORDS] SORTED_WORDS...
set -eu

rows=$1
shift
case $rows in
'' | *[!0-9]*)
  echo "top: \"$rows\" is not a number of rows" >&2
  exit 1
  ;;
esac
stop_words=/dev/null
if [ "${1-}" = -s ]; then
  stop_words=$2
  shift 2
fi
if [ $# -eq 0 ]; then
  echo "no words were given, at least one list is needed" >&2
  exit 1
fi

scratch=${TMPDIR:-/tmp}/top-words.$$
mkdir "$scratch"
trap 'rm -rf "$scratch"' EXIT

# "word count", in the order of the words: join needs the word first, uniq puts the count first.
count() {
  uniq -c | while read -r count word; do echo "$word $count"; done
}

sort -m "$@" | count >"$scratch/counts"
for list in "$@"; do uniq "$list"; done | sort | count >"$scratch/texts"
sort -u "$stop_words" >"$scratch/stop"

# The file is read to its end by a loop that stops writing, so that no command before it meets a closed pipe.
join "$scratch/counts" "$scratch/texts" |
  join -v 1 - "$scratch/stop" |
  sort -k2,2nr -k1,1 |
  {
    echo rank,word,count,texts
    rank=0
    while read -r word count texts; do
      rank=$((rank + 1))
      [ "$rank" -gt "$rows" ] || echo "$rank,$word,$count,$texts"
    done
  } >top-words.csv
echo "$# texts, the $rows most frequent words" >&2
