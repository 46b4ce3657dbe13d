import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { diskReader } from "../files/disk-reader.ts";
import { runDocument } from "./run-document.ts";
import type { DocumentResult } from "./run-document.ts";

const root = await mkdtemp(join(tmpdir(), "weft-run-document-"));
after(() => rm(root, { recursive: true }));
const address = (name: string) => pathToUri(join(root, name));

/** The network's input `checked` requires formats; behind `x`, only the job does. */
const NETWORK = `cwlVersion: v1.2
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
const TOOL = `cwlVersion: v1.2
class: ExpressionTool
requirements: {InlineJavascriptRequirement: {}}
$namespaces: {e: "http://e/"}
inputs: {x: {type: File?, format: e:text}}
outputs: {name: string}
expression: '$({name: inputs.x ? inputs.x.format : "none"})'
`;
await writeFile(join(root, "network.cwl"), NETWORK);
await writeFile(join(root, "look.cwl"), TOOL);
await writeFile(join(root, "formats.ttl"), "<http://e/fasta> <http://s#subClassOf> <http://e/text> .\n");
await writeFile(join(root, "data.txt"), "data\n");

async function run(inputs: { readonly [name: string]: string }): Promise<DocumentResult> {
  const loaded = await loadDocument(address("network.cwl"), { reader: diskReader });
  assert.ok(loaded.process !== undefined);
  const file = (format: string) => ({ class: "File", location: address("data.txt"), format }) as const;
  return runDocument({
    process: loaded.process,
    formats: formatKnowledge(loaded),
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, format]) => [name, file(format)])),
    overrides: [],
    outdir: join(root, "out"),
    version: "test",
    scratch: await mkdtemp(join(root, "scratch-")),
    jobs: 1,
    log: () => {},
    onEvents: () => {},
    signal: new AbortController().signal,
  });
}

function brief(result: DocumentResult): unknown {
  if (result.kind === "refused") return result.message;
  if (result.kind === "wrong-inputs") return result.problems.map(({ pointer, code }) => `${pointer} ${code}`);
  return result.state === "COMPLETE" ? result.outputs?.["name"] : [result.state, result.reason?.code];
}

const CASES: readonly (readonly [string, { readonly [name: string]: string }, unknown])[] = [
  ["expands a prefix by the document's namespaces", { x: "e:text" }, "http://e/text"],
  ["accepts a narrower format than a job requires", { x: "e:fasta" }, "http://e/fasta"],
  ["fails the job for another format", { x: "e:image" }, ["EXECUTOR_ERROR", "STAGE_IN"]],
  ["accepts a narrower format than the network requires", { checked: "http://e/fasta" }, "none"],
  ["refuses another format before anything starts", { checked: "e:image" }, ["/checked/format wrong-format"]],
];
for (const [name, inputs, expected] of CASES) {
  test(`runDocument runs ${name}`, async () => assert.deepEqual(brief(await run(inputs)), expected));
}
