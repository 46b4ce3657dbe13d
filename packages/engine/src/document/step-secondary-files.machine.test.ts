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

const root = await mkdtemp(join(tmpdir(), "weft-step-files-"));
after(() => rm(root, { recursive: true }));
const address = (name: string) => pathToUri(join(root, name));

const COUNT = `class: ExpressionTool
requirements: {InlineJavascriptRequirement: {}}
inputs: {f: {type: File, secondaryFiles: .idx}}
outputs: {n: int}
expression: "$({n: inputs.f.secondaryFiles.length})"
`;
const network = (secondaryFiles: string) => `cwlVersion: v1.2
class: Workflow
inputs: {f: {type: File, secondaryFiles: ${secondaryFiles}}}
outputs: {n: {type: int, outputSource: count/n}}
steps: {count: {run: tool.cwl, in: {f: f}, out: [n]}}
`;
await writeFile(join(root, "tool.cwl"), `cwlVersion: v1.2\n${COUNT}`);
await writeFile(join(root, "with.cwl"), network("[.idx]"));
await writeFile(join(root, "without.cwl"), network("[]"));
await writeFile(join(root, "data.txt"), "data");
await writeFile(join(root, "data.txt.idx"), "index");

const CASES: readonly (readonly [string, string, unknown])[] = [
  ["are found next to the file that a tool is run on", "tool.cwl", { n: 1 }],
  ["come along from a network that declares them", "with.cwl", { n: 1 }],
  ["are missing from a network that does not", "without.cwl", ["EXECUTOR_ERROR", "STAGE_IN"]],
];
for (const [name, document, expected] of CASES) {
  test(`secondary files ${name}`, async () => {
    const loaded = await loadDocument(address(document), { reader: diskReader });
    assert.ok(loaded.process !== undefined);
    const result = await runDocument({
      process: loaded.process,
      formats: formatKnowledge(loaded),
      inputs: { f: { class: "File", location: address("data.txt") } },
      overrides: [],
      outdir: join(root, "out"),
      version: "test",
      scratch: await mkdtemp(join(root, "scratch-")),
      jobs: 1,
      log: () => {},
      onEvents: () => {},
      signal: new AbortController().signal,
    });
    assert.ok(result.kind === "ended");
    assert.deepEqual(result.outputs ?? [result.state, result.reason?.code], expected);
  });
}
