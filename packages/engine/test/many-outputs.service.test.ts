import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { test } from "node:test";
import { findingText } from "../src/provenance/verify/finding.ts";
import { verifyState } from "../src/provenance/verify/verify-state.ts";
import { ask } from "../src/testing/ask-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { caller, CachedRuns } from "./cached-runs.ts";

/** More outputs than one event can contain. */
const NUMBERS = Array.from({ length: 501 }, (_, n) => String(n));

const MAKE = `cwlVersion: v1.2
class: ExpressionTool
requirements: { InlineJavascriptRequirement: {} }
inputs: {}
outputs: { files: "File[]", last: Any }
expression: >-
  \${ return {
    files: Array.from({length: ${NUMBERS.length}}, (_, n) => ({class: 'File', basename: n + '.txt', contents: String(n)})),
    last: 'fine',
  }; }
`;

interface Outputs {
  readonly files: readonly { readonly basename: string }[];
  readonly last: string;
}

test("the outputs of a run with very many files are recorded in parts", async (t) => {
  const runs = await CachedRuns.open(
    t,
    { "catalog/tools/make/1.0.0/make.cwl": MAKE },
    { executor: new ScriptedExecutor() },
  );
  const run = await runs.run({ tool: "make", inputs: {} });
  const { outputs } = await ask(runs.engine, "GET /api/runs/{run_id}/outputs", {
    ...{ caller, params: { run_id: run.run_id } },
  });
  const { files, last } = outputs as unknown as Outputs; // as the tool makes them
  assert.deepEqual([files.map(({ basename }) => basename), last], [NUMBERS.map((n) => `${n}.txt`), "fine"]);
  assert.ok((run.omitted?.outputs_bytes ?? 0) > 100_000);

  const stateFolder = join(runs.root, "state");
  const verified = (folder: string) =>
    verifyState({ stateFolder: folder, dataFolders: {}, expected: undefined, withFiles: false });
  assert.deepEqual((await verified(stateFolder)).findings, []);
  {
    using db = new DatabaseSync(join(stateFolder, "weft.db"), { readOnly: true });
    const parts = db.prepare("SELECT json_array_length(parts) AS parts FROM long_blobs").all();
    assert.deepEqual(
      parts.map((row) => row["parts"]),
      [2],
    );
  }
  const copy = join(runs.root, "copy");
  await cp(stateFolder, copy, { recursive: true });
  {
    using db = new DatabaseSync(join(copy, "weft.db"));
    db.exec("DELETE FROM blobs WHERE digest IN (SELECT value FROM long_blobs, json_each(parts) WHERE key = 1)");
  }
  assert.match(
    (await verified(copy)).findings.map(findingText).join("\n"),
    /^document sha256:\w+: its text was changed$/,
  );
});
