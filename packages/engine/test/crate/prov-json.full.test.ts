import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { lacks } from "@weft/tooling/lacks.ts";
import { caller, CrateRuns, nested } from "./crate-runs.ts";

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
  specializationOf: "Specialization",
} as const;

describe("the PROV-JSON of a run", () => {
  for (const kind of runs.kinds())
    it(`is read completely by the Python package prov for ${kind.what}`, { skip: lacks("prov") }, async () => {
      const { run_id: runId } = await runs.runKind(kind);
      const { bytes } = await provenanceOf(runs.engine).provJson(caller, runId);
      const document: Record<string, object | undefined> = JSON.parse(bytes.toString());
      assert.ok(!bytes.includes('":""'), "an empty value");
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

  it("is merged with that of another run: nothing collides, and equal contents are one entity", async () => {
    const [first, second] = [await provOf(), await provOf()];
    assert.deepEqual(first["prefix"], second["prefix"]);
    const contents: string[] = [];
    for (const [section, statements] of Object.entries(first))
      for (const [id, statement] of Object.entries(statements)) {
        const other = second[section]?.[id];
        if (section === "prefix" || other === undefined) continue;
        assert.deepEqual(statement, other, `${section} ${id}`);
        if (section === "entity") contents.push(id);
        else assert.equal(id, "weft:engine");
      }
    // The document, and the file that both runs read.
    assert.ok(contents.length >= 2, contents.join());
    for (const id of contents) assert.match(id, /^sha256:[\w-]{43}$/);
  });

  it("is merged by the Python package prov", async (t) => {
    const lacking = lacks("prov");
    if (lacking !== false) return t.skip(lacking);
    const documents = [await provOf(), await provOf()];
    const paths = documents.map((_document, at) => join(runs.root, `merge-${at}.json`));
    for (const [at, path] of paths.entries()) await writeFile(path, JSON.stringify(documents[at]));
    const { status, stdout, stderr } = spawnSync("python3", ["-c", MERGE, ...paths], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const merged: Merged = JSON.parse(stdout);
    const [first = {}, second = {}] = documents;
    const union = (section: string) =>
      new Set([first, second].flatMap((from) => Object.keys(from[section] ?? {}))).size;
    assert.deepEqual(merged.counts, { Entity: union("entity"), Activity: union("activity"), Agent: union("agent") });
    assert.deepEqual(merged.ambiguous, []);
    assert.deepEqual(merged.namespaces, ["https://w3id.org/ro/terms/weft#", "ni:///sha-256;", "urn:uuid:"]);
  });
});

interface Merged {
  readonly counts: object;
  readonly ambiguous: readonly string[];
  readonly namespaces: readonly string[];
}

/** Merges two documents, and lists what one element says in two ways. */
const MERGE = `
import json, sys
from prov.model import ProvDocument, ProvElement
first, second = [ProvDocument.deserialize(path) for path in sys.argv[1:]]
first.update(second)
merged = first.unified()
counts, ambiguous = {}, []
for record in merged.get_records(ProvElement):
    kind = record.get_type().localpart
    counts[kind] = counts.get(kind, 0) + 1
    names = [name for name, _ in record.attributes]
    if len(names) != len(set(names)):
        ambiguous.append(str(record.identifier))
namespaces = sorted(namespace.uri for namespace in merged.namespaces)
print(json.dumps({"counts": counts, "ambiguous": ambiguous, "namespaces": namespaces}))
`;
import { provenanceOf } from "../../src/testing/ask-runs.ts";

/** The PROV-JSON of a new run. */
async function provOf(): Promise<Record<string, Record<string, object>>> {
  const { run_id: runId } = await runs.run(nested);
  return JSON.parse((await provenanceOf(runs.engine).provJson(caller, runId)).bytes.toString());
}
