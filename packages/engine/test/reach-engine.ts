import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { caller, runToEnd } from "../src/testing/drive-runs.ts";
import { openTestEngine, toolFiles } from "../src/testing/open-test-engine.ts";

// An engine with tools, data and links for the tests of the files that runs may read.

export const TOKEN = "the-access-token-of-the-server";
const tool = (body: string) => `cwlVersion: v1.2
class: CommandLineTool
requirements: { InlineJavascriptRequirement: {}, LoadListingRequirement: { loadListing: deep_listing } }
${body}`;

const TOOLS: Readonly<Record<string, string>> = {
  /** An expression reads the contents of the given file. */
  read: tool(`baseCommand: "true"
inputs:
  file: { type: "File?", loadContents: true }
  choice: { type: string?, default: "" }
  text: { type: string, default: x, inputBinding: { valueFrom: '$(inputs.file ? inputs.file.contents : "none")' } }
outputs: {}
`),
  any: tool(`baseCommand: "true"
inputs: { it: { type: Any, loadContents: true } }
outputs: {}
`),
  beside: tool(`baseCommand: "true"
inputs: { it: { type: File, secondaryFiles: [.idx] } }
outputs: {}
`),
  /** The message about the missing file would quote what the other holds. */
  quote: tool(`baseCommand: "true"
inputs:
  file: { type: File, loadContents: true }
  it: { type: File, secondaryFiles: ["$(inputs.file.contents)"] }
outputs: {}
`),
  list: tool(`baseCommand: [echo, -n]
inputs: { tree: { type: Directory } }
arguments: [{ valueFrom: '$(JSON.stringify(inputs.tree.listing))' }]
stdout: listing.json
outputs: { listing: stdout }
`),
  copy: tool(`baseCommand: [sh, -c, "cp -r tree out; chmod -R u+w out"]
requirements:
  InitialWorkDirRequirement: { listing: [{ entry: $(inputs.tree), entryname: tree, writable: true }] }
inputs: { tree: Directory }
outputs: { out: { type: Directory, outputBinding: { glob: out } } }
`).replace("requirements: {", "hints: {"),
  into: tool(`baseCommand: "true"
requirements:
  InitialWorkDirRequirement:
    listing:
      - { entry: $(inputs.tree), entryname: tree }
      - { entryname: $(inputs.name), entry: overwritten }
inputs: { tree: Directory, name: string }
outputs: {}
`).replace("requirements: {", "hints: {"),
  script: tool(`baseCommand: [sh, -c]
inputs: { script: { type: string, inputBinding: { position: 1 } } }
outputs:
  out: { type: "Directory?", outputBinding: { glob: out } }
  file: { type: "File?", outputBinding: { glob: file } }
`),
  logged: tool(`baseCommand: [sh, -c, "echo said; mkdir out; echo made > out/made"]
inputs: {}
stdout: said.txt
outputs:
  said: stdout
  out: { type: Directory, outputBinding: { glob: out } }
`),
  pass: tool(`baseCommand: "true"
inputs: { file: File }
outputs: {}
`),
  login: `cwlVersion: v1.2
class: CommandLineTool
requirements:
  cwltool:Secrets: { secrets: [password] }
  InitialWorkDirRequirement: { listing: [{ entryname: conf/login, entry: $(inputs.password) }] }
baseCommand: [sh, -c, 'echo plain > plain; while [ ! -e "$1" ]; do sleep 0.05; done', login]
inputs: { password: string, gate: { type: string, inputBinding: { position: 1 } } }
outputs: {}
`,
};

/** Opens the engine for a test file, which closes it after its tests. */
export async function openReachEngine() {
  const root = temporaryFolder();
  const at = (path: string) => join(root, path);
  await writeServed(root);
  const engine = await openTestEngine(root, { dataFolders: { data: at("data") }, jobs: 2, container: "none" });
  after(() => engine.stop("cancel"));
  await writeFile(at("state/access-token"), TOKEN, { mode: 0o600 });
  const start = (name: string, inputs: object) => runToEnd(engine, { tool: name, inputs: { ...inputs } });
  const refusalOf = async (name: string, inputs: object): Promise<string> => {
    try {
      const run = await start(name, inputs);
      return `${run.state} ${JSON.stringify(run.state_reason)}`;
    } catch (error) {
      if (error instanceof Refusal) return JSON.stringify({ message: error.message, errors: error.errors });
      throw error;
    }
  };
  const textOf = async (runId: string, path: string): Promise<string> => {
    using opened = await (await engine.files.runFile(caller, runId, path)).open();
    return opened.readAll().toString();
  };
  return { root, at, engine, start, refusalOf, textOf };
}

async function writeServed(root: string): Promise<void> {
  const at = (path: string) => join(root, path);
  writeFiles(root, {
    ...toolFiles(TOOLS),
    "data/tree/plain.txt": "plain",
    "data/scan.nii": "scan",
    "outside/secret.txt": TOKEN,
    "data/safe/annexed/key": "annexed",
  });
  await symlink("annexed/key", at("data/safe/linked"));
  await symlink("../../scan.nii", at("data/safe/annexed/up"));
  await symlink(at("outside/secret.txt"), at("data/link.txt"));
  await symlink(at("state/access-token"), at("data/scan.nii.idx"));
}

export const file = (location: string) => ({ class: "File", location });
export const folder = (location: string) => ({ class: "Directory", location });
