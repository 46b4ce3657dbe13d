import { createHash } from "node:crypto";
import { loadTool } from "../../command/testing/load-process.ts";
import { createEvaluator } from "../../expression/evaluate.ts";
import { createQuickjsEngine } from "../../expression/testing/quickjs-engine.ts";
import { createMemoryFiles, described, type MemoryTree } from "../../files/testing/memory-files.ts";
import { effectiveRequirements } from "../../model/effective-requirements.ts";
import { collectOutputs } from "../collect-outputs.ts";
import { TEST_LIMITS } from "../../testing/test-limits.ts";

const script = createQuickjsEngine();
const RUNTIME = {
  outdir: "/job/out",
  tmpdir: "/job/tmp",
  cores: 1,
  ram: 256,
  outdirSize: 1024,
  tmpdirSize: 1024,
  exitCode: 3,
};
const INPUTS = {
  in: { class: "File", path: "/job/in/0/in.txt", location: "file:///data/in.txt", basename: "in.txt", size: 2 },
  dir: { class: "Directory", path: "/job/in/1/dir", location: "file:///data/dir", basename: "dir" },
  name: "b",
} as const;

/** The outputs of a tool whose job has left `tree` (absolute paths; the output folder is /run/out, which the job saw as /job/out). */
export async function collect(outputs: string, tree: MemoryTree, limits = TEST_LIMITS) {
  const tool = await loadTool(
    `requirements: {InlineJavascriptRequirement: {}}\nbaseCommand: x\ninputs: {in: File, dir: Directory, name: string}\noutputs:\n${outputs}`,
  );
  const requirements = effectiveRequirements([tool]);
  const files = createMemoryFiles({
    "/data/in.txt": "in",
    "/data/dir/x": "x",
    "/secret": "s",
    "/run/out": null,
    ...tree,
  });
  const evaluator = createEvaluator({ script, requirements, limits });
  return collectOutputs({
    tool,
    requirements,
    inputs: INPUTS,
    runtime: RUNTIME,
    outdirUri: "file:///run/out",
    files,
    evaluator,
  });
}

export const sha1 = (text: string) => `sha1$${createHash("sha1").update(text).digest("hex")}`;

/** A File that the job created, as an output. */
export const made = (name: string, text: string, more: object = {}) =>
  described(`file:///run/out/${name}`, text.length, { checksum: sha1(text), ...more });

/** A tree in the output folder. */
export const out = (tree: { readonly [name: string]: MemoryTree[string] }): MemoryTree =>
  Object.fromEntries(Object.entries(tree).map(([name, node]) => [`/run/out/${name}`, node]));
export const ABC = out({ "a.txt": "A", "b.txt": "BB", "c.log": "C", ".hidden.txt": "h", "sub/d.txt": "D" });
