import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { CwlObject, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { safeName } from "@weft/cwl/model/safe-name.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { createOpenAccess } from "../../access/disk-access.ts";
import { OpenFolder } from "../../files/beneath/open-folder.ts";
import { PortableUris } from "../../files/portable-uri.ts";
import type { Journal } from "../../journal/journal.ts";
import type { NewEvent } from "../../journal/journal-event.ts";
import { deliverOutputs, type DeliveringRun } from "./deliver-outputs.ts";
import type { RunServices } from "./run-services.ts";
import type { DrivenEnd } from "./run-outcome.ts";

/** More than one event holds. */
const MANY = 501;
const literals = Array.from({ length: MANY }, (_, n): FileValue => {
  return { class: "File", basename: safeName(`${n}.txt`), contents: String(n) };
});
const missing: FileValue = { class: "File", location: "file:///nowhere/x.txt", basename: safeName("x.txt") };

/** A run without sinks, so that nothing asks for them or for the process. */
async function deliver(runsFolder: string, outputs: CwlObject, append: (event: NewEvent) => void) {
  const journal = { append: async (events: readonly NewEvent[]) => events.forEach(append) } as unknown as Journal; // only appends
  const { reach, files } = createOpenAccess({ sync: true, near: runsFolder }).all;
  const run = { runId: "r", sinks: {}, samples: {}, process: { outputs: [] }, values: {} } as unknown as DeliveringRun; // see above
  const end = { state: "COMPLETE", outcome: "success", reason: null, outputs } as const;
  const driven: DrivenEnd = { ...end, inputs: {}, outputNames: () => new Map(), kill: undefined, killed: [] };
  const uris = new PortableUris({ runs: runsFolder });
  const services = { journal, uris, reach, files, runsFolder, limits: DEFAULT_LIMITS, sync: true };
  return deliverOutputs(run, driven, services as unknown as RunServices); // see above
}

const cases = [
  { name: "all outputs can be published", last: null, outcome: "success", filesBefore: 500, rest: 1 },
  {
    name: "the last cannot: what is recorded does not count",
    last: missing,
    outcome: "failure",
    filesBefore: 0,
    rest: 0,
  },
];
for (const { name, last, outcome, filesBefore, rest } of cases) {
  it(`publishes and records one file after the other; ${name}`, async (t) => {
    const folder = temporaryFolder();
    const published: number[] = [];
    const syncs = t.mock.method(OpenFolder.prototype, "sync");
    const synced: number[] = [];
    const append = ({ type, data }: NewEvent) => {
      assert.deepEqual([type, "files" in data && data.files.length], ["run.outputs", 500]);
      synced.push(syncs.mock.callCount());
      published.push(readdirSync(join(folder, "r/outputs")).length);
    };
    const delivered = await deliver(folder, { files: literals, last }, append);
    assert.deepEqual([published, synced], [[MANY], [1]], "the folder is on disk before the log says what it contains");
    assert.equal(delivered.end.outcome, outcome);
    assert.equal(delivered.filesBefore, filesBefore);
    assert.equal(delivered.recorded?.files.length ?? 0, rest);
  });
}
