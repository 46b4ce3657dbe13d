import { join } from "node:path";
import { after } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import type { Engine } from "../src/port/engine.ts";
import { startRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";

/** Each of its jobs ends when its gate has an exit code. */
const GATES = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {} },
  inputs: { gates: "string[]" },
  outputs: {},
  steps: {
    gate: {
      run: {
        class: "CommandLineTool",
        requirements: { InitialWorkDirRequirement: { listing: [{ entryname: "staged.txt", entry: "staged" }] } },
        baseCommand: "gate",
        inputs: { gate: { type: "string", inputBinding: { position: 1 } } },
        outputs: {},
      },
      scatter: "gate",
      in: { gate: "gates" },
      out: [],
    },
  },
};

export const root = temporaryFolder({ "catalog/networks/gates/gates.cwl": JSON.stringify(GATES) });
export const executor = new ScriptedExecutor({ gate: ({ args: [name = ""] }) => gate(name).promise });
let count = 0;

/** A server with one slot on a folder of its own, or on that of an earlier one; it stops after the tests of the file. */
export async function serve(name = `state-${++count}`) {
  const engine = await openTestEngine(root, { executor, stateFolder: join(root, name), jobs: 1 });
  after(() => engine.stop("cancel").catch(() => undefined));
  return { engine, name };
}

const gates = new Map<string, PromiseWithResolvers<number>>();
function gate(name: string): PromiseWithResolvers<number> {
  const found = gates.get(name) ?? Promise.withResolvers<number>();
  gates.set(name, found);
  return found;
}

/** Ends the jobs that wait at a gate. */
export const open = (name: string, exitCode = 0) => gate(name).resolve(exitCode);

/** A run with one job for each gate. */
export const start = (engine: Engine, gates: readonly string[], options: CreateRun["options"] = {}) =>
  startRun(engine, { network: "gates", inputs: { gates }, options });
