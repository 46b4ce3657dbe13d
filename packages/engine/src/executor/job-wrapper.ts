/**
 * The shell functions that run one attempt, for every shell that starts jobs. `weft_job NUMBER FOLDER` runs in its own
 * process. It claims the attempt folder by an exclusive create, so only one of two wrappers runs the program. It runs
 * the program that the file `launch` names, and appends the CPU time and I/O of its children and their exit code.
 * `exec` in the subshell starts a program even if the shell has a builtin of that name. Just before, the subshell takes
 * the stamp, the control group and the limits that every descendant inherits. After SIGTERM, the wrapper stays to record the exit;
 * if SIGTERM comes before the program has started, it starts nothing. It creates the files of its output streams (`set
 * -C`), so it neither opens an existing file nor follows a link. `weft_at`, if set, is a line that says where the claim
 * was made; `weft_count`, if set, is a function that adds lines to `weft_io` after the program has ended.
 */
export const JOB_WRAPPER = `weft_boot=
[ -r /proc/sys/kernel/random/boot_id ] && read -r weft_boot </proc/sys/kernel/random/boot_id
weft_job() {
  weft_number=$1 weft_folder=$2 weft_stat= weft_code=143
  trap 'weft_terminated=1' TERM INT HUP
  [ -r /proc/self/stat ] && read -r weft_stat </proc/self/stat
  set -C
  { printf '%spid %s\\nboot %s\\nstat %s\\n' "$weft_at" "\${weft_stat%% *}" "$weft_boot" "$weft_stat" >"$weft_folder/record"; } 2>/dev/null || {
    printf 'taken %s\\n' "$weft_number"
    exit
  }
  set +C
  printf 'started %s\\n' "$weft_number"
  weft_record=$weft_folder/record
  . "$weft_folder/launch"
  if cd -P "$weft_workdir"; then
    export -n PWD OLDPWD
    [ "$weft_terminated" ] || { ( weft_streams || exit 126; weft_mark; exec "$@" ); weft_code=$?; }
  else
    weft_code=97
  fi
  weft_io=
  [ -r /proc/self/io ] && IFS= read -r -d '' weft_io </proc/self/io
  [ "$weft_count" ] && "$weft_count" 2>/dev/null
  { times; printf '%sexit %s\\n' "$weft_io" "$weft_code"; } >>"$weft_record"
  trap '' PIPE
  printf 'ended %s\\n' "$weft_number"
}
weft_streams() {
  set -C
  exec 2>"$weft_err" <"$weft_in" || return
  if [ "$weft_out" = "$weft_err" ]; then exec >&2; else exec >"$weft_out"; fi || return
  set +C
}
weft_mark() {
  {
    [ "$weft_stamp" ] && ulimit -x "$weft_stamp"
    [ "$weft_cgroup" ] && echo 0 >"$weft_cgroup"
    [ "$weft_files" ] && ulimit -n "$weft_files"
    echo 500 >/proc/self/oom_score_adj
  } 2>/dev/null
}
`;
