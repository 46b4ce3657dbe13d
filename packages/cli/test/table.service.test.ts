import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { expectExit, expectSuccess } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const TOOL = {
  cwlVersion: "v1.2",
  class: "ExpressionTool",
  requirements: { InlineJavascriptRequirement: {} },
  inputs: { volume: "int" },
  outputs: { measures: "File" },
  expression: "$({measures: {class: 'File', basename: 'm.json', contents: JSON.stringify({volume: inputs.volume})}})",
};
const NETWORK = {
  cwlVersion: "v1.2",
  class: "Workflow",
  requirements: { ScatterFeatureRequirement: {} },
  inputs: { volumes: "int[]" },
  steps: {
    measure: {
      run: "../../tools/measure/1.0.0/measure.cwl",
      scatter: "volume",
      in: { volume: "volumes" },
      out: ["measures"],
    },
  },
  outputs: { measures: { type: "File[]", outputSource: "measure/measures" } },
};
const root = temporaryFolder({
  "catalog/tools/measure/1.0.0/measure.cwl": JSON.stringify(TOOL),
  "catalog/networks/cohort/cohort.cwl": JSON.stringify(NETWORK),
});
const state = join(root, "state");

it("weft table lists fields, prints a table, and writes files", async () => {
  const server = await serve(["--state", state, "--catalog", join(root, "catalog")]);
  const client = createClient(server.address);
  const body = { network: "cohort", inputs: { volumes: [3, 5] }, samples: { volumes: ["a", "b"] } };
  const runId = await startRun(client, body);
  await untilRun(client, runId);
  const command = ["table", "--state", state];
  const table = (...args: string[]) => expectSuccess([...command, ...args]);
  const listed = await table(runId, "--list");
  assert.match(listed.stdout, /^FIELD +TYPE +SAMPLES +EXAMPLE\n/);
  assert.match(listed.stdout, /output\.measures\/volume +number +2 of 2 +[35]\n/);
  const csv = await table(runId, "--field", "input.volumes,output.measures/volume");
  assert.equal(csv.stdout, "sample,volumes,volume\r\na,3,3\r\nb,5,5\r\n");
  const file = join(root, "t.parquet");
  await table(runId, runId, "--format", "parquet", "--output", file);
  assert.equal((await readFile(file)).subarray(0, 4).toString(), "PAR1");
  const none = await expectExit([...command, "019a9c5e-7b1a-7cc0-8000-000000000001"], 1, /There is no run/);
  assert.equal(none.stdout, "");
  await expectExit([...command, runId, "--format", "xlsx"], 2, /--format must be one of csv/);
  await server.stop("SIGTERM");
  await expectExit([...command, runId], 1, /the server of the state folder \S+ does not answer at http.*weft serve/);
  await expectExit(["table", "--state", join(root, "nowhere"), runId], 2, /nowhere is not a state folder of Weft/);
});
