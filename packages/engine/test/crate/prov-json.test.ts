import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { caller, CrateRuns } from "./crate-runs.ts";

const runs = await CrateRuns.open();

/** Reads PROV-JSON with the Python package `prov`, writes it again, and tells what it has understood. */
const READ_BACK = `
import json, sys
from prov.model import ProvDocument
document = ProvDocument.deserialize(sys.argv[1])
again = ProvDocument.deserialize(content=document.serialize())
assert again == document, "not the same after writing it again"
counts = {}
for record in document.get_records():
    counts[record.get_type().localpart] = counts.get(record.get_type().localpart, 0) + 1
document.get_provn()
print(json.dumps(counts))
`;

const NAMES = {
  entity: "Entity",
  activity: "Activity",
  agent: "Agent",
  used: "Usage",
  wasGeneratedBy: "Generation",
  wasAssociatedWith: "Association",
  wasStartedBy: "Start",
  wasDerivedFrom: "Derivation",
} as const;

const isInstalled =
  spawnSync("python3", ["-c", "import prov.serializers as s; s.Registry.load_serializers()"]).status === 0;

describe("the PROV-JSON of a run", () => {
  for (const kind of runs.kinds())
    it(`is read back whole by the Python package prov for ${kind.what}`, async (t) => {
      if (!isInstalled) return t.skip("the Python package prov is not installed (python3-prov in Debian)");
      const { run_id: runId } = await runs.runKind(kind);
      const { bytes } = await runs.engine.provenance.provJson(caller, runId);
      const document: Record<string, object | undefined> = JSON.parse(bytes.toString());
      const path = join(runs.root, `${runId}.prov.json`);
      await writeFile(path, bytes);
      const { status, stdout, stderr } = spawnSync("python3", ["-c", READ_BACK, path], { encoding: "utf8" });
      assert.equal(status, 0, stderr);
      const expected = Object.entries(NAMES).flatMap(([section, name]) => {
        const count = Object.keys(document[section] ?? {}).length;
        return count === 0 ? [] : [[name, count] as const];
      });
      assert.deepEqual(JSON.parse(stdout), Object.fromEntries(expected));
    });
});
