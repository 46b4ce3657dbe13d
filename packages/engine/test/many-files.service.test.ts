import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { caller } from "../src/testing/drive-runs.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { Reach } from "../src/files/beneath/reach.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const COUNT = 300;
const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: "true"
inputs:
  reads: { type: "File[]", secondaryFiles: [.bai?] }
outputs: {}
`;
const reads = Array.from({ length: COUNT }, (_, index) => [`data/study/${index}.bam`, `data/study/${index}.bam.bai`]);
const files = Object.fromEntries(reads.flat().map((path) => [path, "x"]));
const { engine } = await serveFiles({ "catalog/tools/reads/1.0.0/reads.cwl": TOOL, ...files }, { data: ["data"] });

async function walksOf(t: TestContext, body: CreateRun) {
  const walk = t.mock.method(Reach.prototype, "visit");
  const plan = await engine.runs.plan(caller, body);
  return { plan, walks: walk.mock.callCount() };
}

const file = (name: string) => ({ class: "File", location: `weft-data://data/study/${name}` });

test("a request with many Files does not walk to each of them and its secondary files", async (t) => {
  const reads = Array.from({ length: COUNT }, (_, index) => file(`${index}.bam`));
  const { plan, walks } = await walksOf(t, { tool: "reads", inputs: { reads }, options: { cache: "off" } });
  assert.equal(JSON.stringify(plan.inputs).match(/\.bam\.bai"/g)?.length ?? 0, COUNT * 2);
  assert.ok(walks < 20, `${walks} walks for ${COUNT} Files`);
});

test("a request that names one File many times walks to it once", async (t) => {
  const reads = Array.from({ length: COUNT }, () => file("0.bam"));
  const { walks } = await walksOf(t, { tool: "reads", inputs: { reads }, options: { cache: "off" } });
  assert.ok(walks < 20, `${walks} walks for one File`);
});

test("a plan does not compare the contents of any number of files", async (t) => {
  const reads = Array.from({ length: 3000 }, () => ({ ...file("0.bam"), secondaryFiles: [] }));
  const { plan, walks } = await walksOf(t, { tool: "reads", inputs: { reads } });
  assert.equal(plan.jobs[0]?.cache.decision, "unknown");
  assert.match(plan.jobs[0]?.cache.reason ?? "", /at most 2000 files/);
  assert.ok(walks < 2100, `${walks} walks`);
});
