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

const root = await mkdtemp(join(tmpdir(), "weft-time-limit-"));
after(() => rm(root, { recursive: true }));

test("a job past its time limit fails, its processes are ended, and no other failure is reported", async () => {
  const document = join(root, "slow.cwl");
  const slow = `cwlVersion: v1.2
class: CommandLineTool
requirements: {ToolTimeLimit: {timelimit: 1}}
baseCommand: [sh, -c, "sleep 300 & sleep 300"]
inputs: []
outputs: []
`;
  await writeFile(document, slow);
  const loaded = await loadDocument(pathToUri(document), { reader: diskReader });
  assert.ok(loaded.process !== undefined);
  const logged: string[] = [];
  const result = await runDocument({
    process: loaded.process,
    formats: formatKnowledge(loaded),
    inputs: {},
    overrides: [],
    outdir: join(root, "out"),
    version: "test",
    scratch: await mkdtemp(join(root, "scratch-")),
    jobs: 1,
    log: (_level, message) => logged.push(message),
    onEvents: () => {},
    signal: new AbortController().signal,
  });
  assert.ok(result.kind === "ended");
  assert.deepEqual([result.state, result.reason?.code], ["EXECUTOR_ERROR", "TIME_LIMIT"]);
  assert.deepEqual(logged, []);
});
