// Networks that the abort test aborts: jobs that do what they can to outlive it, and jobs whose outputs take time to collect.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Each sleeper has the token as its name. In turn: plain, in its own session, under nohup, forked twice, ignoring signals,
 * ignoring SIGTERM while starting others forever, with a cleared environment in another session, a daemon with a cleared
 * environment and without files or folder, stopped, and starting others that have a cleared environment.
 */
const TREE = `
leaf='exec -a "$0" sleep 300'
bash -c "$leaf" "$1" &
setsid bash -c "$leaf" "$1" &
nohup bash -c "$leaf" "$1" >nohup.txt 2>&1 &
bash -c "(setsid bash -c '$leaf' '$1' &) &"
setsid bash -c "trap '' TERM HUP INT; $leaf" "$1" &
(trap '' TERM; while :; do (exec -a "$1" sleep 0.2); done) &
env -i setsid bash -c "$leaf" "$1" &
(cd /; env -i setsid bash -c "($leaf) &" "$1" </dev/null >/dev/null 2>&1 &)
bash -c "kill -STOP \\$\\$; $leaf" "$1" &
env -i setsid bash -c 'while :; do (exec -a "$0" sleep 0.2) & (exec -a "$0" sleep 0.1); done' "$1" &
echo up
wait
`;

const FILES = 'n=0; while [ $n -lt 400 ]; do echo "$1 $n" >"$n.txt"; n=$((n + 1)); done';

/** Writes a catalog with the networks `trees` and `files` and returns its folder. */
export function writeAbortCatalog(folder) {
  mkdirSync(join(folder, "catalog", "tools"), { recursive: true });
  writeNetwork(folder, "trees", tool(TREE, { stdout: "up.txt", outputs: { made: "stdout" } }));
  writeNetwork(
    folder,
    "files",
    tool(FILES, { outputs: { made: { type: "File[]", outputBinding: { glob: "*.txt" } } } }),
  );
  return join(folder, "catalog");
}

function tool(script, more) {
  return {
    class: "CommandLineTool",
    baseCommand: ["bash", "-c", script, "abort-me"],
    inputs: {
      token: { type: "string", inputBinding: { position: 1 } },
      number: { type: "int", inputBinding: { position: 2 } },
    },
    ...more,
  };
}

function writeNetwork(folder, name, run) {
  const networkFolder = join(folder, "catalog", "networks", name);
  mkdirSync(networkFolder, { recursive: true });
  const network = {
    cwlVersion: "v1.2",
    class: "Workflow",
    requirements: { ScatterFeatureRequirement: {} },
    inputs: { token: "string", numbers: "int[]" },
    outputs: {},
    steps: { act: { run, scatter: "number", in: { token: "token", number: "numbers" }, out: ["made"] } },
  };
  writeFileSync(join(networkFolder, `${name}.cwl`), JSON.stringify(network));
}
