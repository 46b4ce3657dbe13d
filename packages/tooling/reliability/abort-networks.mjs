// What the abort test aborts: jobs that do what they can to outlive it, and jobs whose outputs take time to collect.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Each process has the token in its command line, or in that of the shell above it. */
const TREE = `
leaf=': '$1'; sleep 300; :'
sh -c "$leaf" &
setsid sh -c "$leaf" &
nohup sh -c "$leaf" >nohup.txt 2>&1 &
sh -c "(setsid sh -c '$leaf' &) &"
setsid sh -c "trap '' TERM HUP INT; while :; do $leaf; done" &
(trap '' TERM; while :; do sh -c ': '$1'; sleep 0.2; :'; done) &
echo up
wait
`;

const FILES = 'n=0; while [ $n -lt 400 ]; do echo "$1 $n" >"$n.txt"; n=$((n + 1)); done';

/** Writes a catalog with the networks `trees` and `files` and answers its folder. */
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
    baseCommand: ["sh", "-c", script, "abort-me"],
    inputs: {
      token: { type: "string", inputBinding: { position: 1 } },
      number: { type: "int", inputBinding: { position: 2 } },
    },
    ...more,
  };
}

function writeNetwork(folder, name, run) {
  const place = join(folder, "catalog", "networks", name);
  mkdirSync(place, { recursive: true });
  const network = {
    cwlVersion: "v1.2",
    class: "Workflow",
    requirements: { ScatterFeatureRequirement: {} },
    inputs: { token: "string", numbers: "int[]" },
    outputs: {},
    steps: { act: { run, scatter: "number", in: { token: "token", number: "numbers" }, out: ["made"] } },
  };
  writeFileSync(join(place, `${name}.cwl`), JSON.stringify(network));
}
