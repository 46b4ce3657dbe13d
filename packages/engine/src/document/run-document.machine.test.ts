import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, test } from "node:test";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { diskReader } from "../files/disk-reader.ts";
import { runDocument, type DocumentResult } from "./run-document.ts";

/** The network's input `checked` requires formats; behind `x`, only the job does. */
const FORMATS = `cwlVersion: v1.2
class: Workflow
$namespaces: {e: "http://e/"}
$schemas: [formats.ttl]
inputs: {x: File?, checked: {type: File?, format: e:text}}
outputs: {name: {type: string, outputSource: look/name}}
steps:
  look:
    run: look.cwl
    in: {x: x}
    out: [name]
`;
const LOOK = `cwlVersion: v1.2
class: ExpressionTool
requirements: {InlineJavascriptRequirement: {}}
$namespaces: {e: "http://e/"}
inputs: {x: {type: File?, format: e:text}}
outputs: {name: string}
expression: '$({name: inputs.x ? inputs.x.format : "none"})'
`;
const COUNT = `cwlVersion: v1.2
class: ExpressionTool
requirements: {InlineJavascriptRequirement: {}}
inputs: {f: {type: File, secondaryFiles: .idx}}
outputs: {n: int}
expression: "$({n: inputs.f.secondaryFiles.length})"
`;
const counting = (secondaryFiles: string) => `cwlVersion: v1.2
class: Workflow
inputs: {f: {type: File, secondaryFiles: ${secondaryFiles}}}
outputs: {n: {type: int, outputSource: count/n}}
steps: {count: {run: count.cwl, in: {f: f}, out: [n]}}
`;
const SLOW = `cwlVersion: v1.2
class: CommandLineTool
requirements: {ToolTimeLimit: {timelimit: 1}}
baseCommand: [sh, -c, "sleep 300 & sleep 300"]
inputs: []
outputs: []
`;
const root = temporaryFolder({
  "formats.cwl": FORMATS,
  "look.cwl": LOOK,
  "formats.ttl": "<http://e/fasta> <http://s#subClassOf> <http://e/text> .\n",
  "count.cwl": COUNT,
  "with.cwl": counting("[.idx]"),
  "without.cwl": counting("[]"),
  "slow.cwl": SLOW,
  "data.txt": "data\n",
  "data.txt.idx": "index",
});
const address = (name: string) => pathToUri(join(root, name));
const logged: string[] = [];

async function run(document: string, inputs: CwlObject): Promise<DocumentResult> {
  const loaded = await loadDocument(address(document), { reader: diskReader });
  assert.ok(loaded.process !== undefined);
  return runDocument({
    process: loaded.process,
    formats: formatKnowledge(loaded),
    ...{ inputs, overrides: [], outdir: join(root, "out"), version: "test" },
    scratch: await mkdtemp(join(root, "scratch-")),
    jobs: 1,
    log: (_level, message) => logged.push(message),
    onEvents: () => {},
    signal: new AbortController().signal,
  });
}

function brief(result: DocumentResult): unknown {
  if (result.kind === "refused") return result.message;
  if (result.kind === "wrong-inputs") return result.problems.map(({ pointer, code }) => `${pointer} ${code}`);
  return result.outputs ?? [result.state, result.reason?.code];
}

const data = (more: object = {}) => ({ class: "File", location: address("data.txt"), ...more }) as const;
const STAGE_IN = ["EXECUTOR_ERROR", "STAGE_IN"];
const CASES: Readonly<Record<string, readonly [document: string, inputs: CwlObject, expected: unknown]>> = {
  "expands a prefix by the document's namespaces": [
    "formats.cwl",
    { x: data({ format: "e:text" }) },
    { name: "http://e/text" },
  ],
  "accepts a narrower format than a job requires": [
    "formats.cwl",
    { x: data({ format: "e:fasta" }) },
    { name: "http://e/fasta" },
  ],
  "fails the job for another format": ["formats.cwl", { x: data({ format: "e:image" }) }, STAGE_IN],
  "accepts a narrower format than the network requires": [
    "formats.cwl",
    { checked: data({ format: "http://e/fasta" }) },
    { name: "none" },
  ],
  "refuses another format before anything starts": [
    "formats.cwl",
    { checked: data({ format: "e:image" }) },
    ["/checked/format wrong-format"],
  ],
  "finds secondary files next to the file that a tool is run on": ["count.cwl", { f: data() }, { n: 1 }],
  "passes on secondary files that a network declares": ["with.cwl", { f: data() }, { n: 1 }],
  "lacks secondary files that a network does not declare": ["without.cwl", { f: data() }, STAGE_IN],
};
describe("runDocument", () => {
  for (const [name, [document, inputs, expected]] of Object.entries(CASES))
    it(name, async () => assert.deepEqual(brief(await run(document, inputs)), expected));
});

test("a job past its time limit fails, its processes are ended, and no other failure is reported", async () => {
  logged.length = 0;
  assert.deepEqual(brief(await run("slow.cwl", {})), ["EXECUTOR_ERROR", "TIME_LIMIT"]);
  assert.deepEqual(logged, []);
});
