# sleep-tree.sh INDEX SECONDS CHILDREN [FAIL_INDEX]
set -eu

index=$1 seconds=$2 children=$3 fail_index=${4-}

echo "job $index: starting $children children" >&2
child=0
pids=
while [ "$child" -lt "$children" ]; do
  child=$((child + 1))
  # The second command keeps the shell from replacing itself by sleep: the tree has to have a grandchild.
  sh -c 'sleep "$1" && :' sh "$seconds" &
  pids="$pids $!"
done
# One by one: wait without a number would not tell that a sleep has failed.
for pid in $pids; do wait "$pid"; done

if [ "$index" = "$fail_index" ]; then
  echo "job $index: failing, as asked" >&2
  exit 1
fi
echo "job $index: $children children slept for $seconds s"
