import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import * as fc from "fast-check";
import type { Run } from "@weft/shared/records/run-record.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { untilRun } from "../src/testing/follow-run.ts";
import { expectExit, expectSuccess } from "../src/testing/run-in-process.ts";
import { serve, type Served } from "../src/testing/serve-in-process.ts";

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);
/** Each becomes a job of the network, whose program receives it as a word and writes it into `cwl.output.json`. */
const LONGS = [
  ...[LARGEST, SMALLEST, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 0n, -1n],
  ...fc.sample(fc.bigInt({ min: SMALLEST, max: LARGEST }), 3),
].map(String);

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'printf "{\\"same\\": %s, \\"any\\": {\\"list\\": [%s]}}" "$1" "$1" > cwl.output.json', sh]
inputs:
  x: { type: long, inputBinding: {} }
outputs: { same: long, any: Any }
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, StepInputExpressionRequirement: {} }
inputs:
  xs: long[]
  given: { type: long, default: 9223372036854775806 }
outputs:
  same: { type: "long[]", outputSource: echo/same }
  any: { type: "Any[]", outputSource: echo/any }
  given: { type: long, outputSource: given }
steps:
  echo:
    run: ../../tools/echo/1.0.0/echo.cwl
    scatter: x
    in: { x: { source: xs, valueFrom: $(self) } }
    out: [same, any]
`;
const root = temporaryFolder({
  "catalog/tools/echo/1.0.0/echo.cwl": TOOL,
  "catalog/networks/echo-all/echo-all.cwl": NETWORK,
});
const state = join(root, "state");
const open = (folder = state) => serve(["--state", folder, "--catalog", join(root, "catalog")]);
const post = (address: string, body: string) =>
  fetch(`${address}/api/runs`, { method: "POST", headers: { "content-type": "application/json" }, body });
/** The text of a response without blanks; parsing it could change digits. */
const textOf = async (address: string, path: string) =>
  (await (await fetch(`${address}${path}`)).text()).replaceAll(/\s/g, "");

async function runToEnd(address: string, body: string): Promise<Run> {
  const response = await post(address, body);
  const text = await response.text();
  assert.equal(response.status, 201, text);
  return untilRun(createClient(address), (JSON.parse(text) as Run).run_id);
}

const list = LONGS.join(",");

describe("every long keeps its digits", () => {
  let server: Served;
  before(async () => {
    server = await open();
  });
  after(() => server.stop("SIGTERM"));

  it("from a request to commands, results, tables, provenance, WES, and after a restart", async () => {
    const samples = LONGS.map((_, at) => `"s${at}"`).join(",");
    const body = `{"network": "echo-all", "inputs": {"xs": [${list}]}, "samples": {"xs": [${samples}]}}`;
    const run = await runToEnd(server.address, body);
    assert.equal(run.state, "COMPLETE", run.state_reason?.message ?? "");
    const at = `/api/runs/${run.run_id}`;
    const checkRecords = async () => {
      const record = await textOf(server.address, at);
      assert.ok(record.includes(`"xs":[${list}]`), record);
      assert.ok(record.includes(`"same":[${list}]`), record);
      assert.ok(record.includes(`"any":[${LONGS.map((long) => `{"list":[${long}]}`).join(",")}]`), record);
      assert.ok(record.includes('"given":9223372036854775806'), record);
      const outputs = await textOf(server.address, `${at}/outputs`);
      assert.ok(outputs.includes(`"same":[${list}]`), outputs);
      const results = await textOf(server.address, `${at}/results?page_size=100`);
      for (const long of LONGS) assert.ok(results.includes(`"value":${long}`), results);
      const wes = await textOf(server.address, `/ga4gh/wes/v1/runs/${run.run_id}`);
      assert.ok(wes.includes(`"xs":[${list}]`) && wes.includes(`"same":[${list}]`), wes);
      const prov = await textOf(server.address, `${at}/provenance`);
      for (const long of LONGS) assert.ok(prov.includes(long), prov);
    };
    await checkRecords();
    const client = createClient(server.address);
    const params = { run_id: run.run_id };
    const { jobs } = await client("GET /api/runs/{run_id}/jobs", { params });
    const records = await Promise.all(
      jobs.map(({ job_id }) => client("GET /api/runs/{run_id}/jobs/{job_id}", { params: { ...params, job_id } })),
    );
    assert.deepEqual(new Set(records.map(({ command }) => command?.argv.at(-1))), new Set(LONGS));
    const tool = await textOf(server.address, "/api/networks/echo-all");
    assert.ok(tool.includes('"default":9223372036854775806'), tool);

    const table = await expectSuccess(["table", "--state", state, run.run_id, "--field", "input.xs,output.same"]);
    const rows = LONGS.map((long, index) => `s${index},${long},${long}\r\n`);
    assert.equal(table.stdout, `sample,xs,same\r\n${rows.join("")}`);

    await server.stop("SIGTERM");
    server = await open();
    await checkRecords();
    await expectSuccess(["verify", "--state", state]);
  });

  it("in the key of a job, so that another number does not reuse its result", async () => {
    const tool = async (x: bigint) => {
      const run = await runToEnd(server.address, `{"tool": "echo", "inputs": {"x": ${x}}}`);
      const { jobs } = await createClient(server.address)("GET /api/runs/{run_id}/jobs", {
        params: { run_id: run.run_id },
      });
      return [jobs[0]?.cached, JSON.stringify(run.outputs)];
    };
    const [x, next] = [2n ** 62n + 1n, 2n ** 62n + 2n];
    assert.deepEqual(await tool(x), [false, `{"same":${x},"any":{"list":[${x}]}}`]);
    assert.deepEqual(await tool(next), [false, `{"same":${next},"any":{"list":[${next}]}}`]);
    assert.deepEqual(await tool(x), [true, `{"same":${x},"any":{"list":[${x}]}}`]);
  });

  it("through WES", async () => {
    const form = new URLSearchParams({
      workflow_type: "CWL",
      workflow_type_version: "v1.2",
      workflow_url: "echo-all",
      workflow_params: `{"xs": [${list}]}`,
    });
    const response = await fetch(`${server.address}/ga4gh/wes/v1/runs`, { method: "POST", body: form });
    const { run_id: runId } = (await response.json()) as { readonly run_id: string };
    assert.equal((await untilRun(createClient(server.address), runId)).state, "COMPLETE");
    const wes = await textOf(server.address, `/ga4gh/wes/v1/runs/${runId}`);
    assert.ok(wes.includes(`"xs":[${list}]`) && wes.includes(`"same":[${list}]`), wes);
  });

  it("a number beyond 64 bits is refused, with its position", async () => {
    for (const wrong of [LARGEST + 1n, SMALLEST - 1n]) {
      const response = await post(server.address, `{"network": "echo-all", "inputs": {"xs": [1, ${wrong}]}}`);
      const text = await response.text();
      assert.equal(response.status, 422, text);
      assert.match(text, /"pointer":"\/inputs\/xs\/1"/);
      assert.match(text, /the range is -9223372036854775808 to 9223372036854775807/);
    }
  });
});

describe("weft run keeps the digits of a long", () => {
  const RUN = ["run", "--quiet", "--outdir", "out", "catalog/networks/echo-all/echo-all.cwl"];

  it("in files and flags", async () => {
    writeFiles(root, {
      "job.yml": `xs:\n${LONGS.map((long) => `- ${long}\n`).join("")}`,
      "job.json": `{"xs": [${list}], "given": 9007199254740993}`,
    });
    for (const [args, given] of [
      [["job.yml"], "9223372036854775806"],
      [["job.json"], "9007199254740993"],
      [["job.yml", "--given", "-9223372036854775807"], "-9223372036854775807"],
      [LONGS.flatMap((long) => ["--xs", long]), "9223372036854775806"],
    ] as const) {
      const text = (await expectSuccess([...RUN, ...args], { cwd: root })).stdout.replaceAll(/\s/g, "");
      assert.ok(text.includes(`"same":[${list}]`), text);
      assert.ok(text.includes(`"given":${given}`), text);
    }
    const beyond = ["job.yml", "--given", "9223372036854775808"];
    await expectExit([...RUN, ...beyond], 2, /is not of type long/, { cwd: root });
  });

  it("in a crate, which a server imports and reproduces", async () => {
    const crate = join(root, "crate");
    writeFiles(root, { "crate.json": `{"xs": [${list}]}` });
    await expectSuccess([...RUN, "crate.json", "--provenance", crate], { cwd: root });
    const names = readdirSync(crate).filter((name) => name.endsWith(".json"));
    const texts = names.map((name) => readFileSync(join(crate, name), "utf8"));
    for (const long of LONGS) assert.ok(texts.some((text) => text.includes(long)));
    const imported = await expectSuccess(["import", "--state", join(root, "importing"), crate]);
    const server = await open(join(root, "importing"));
    const at = `/api/runs/${imported.stdout.trim()}`;
    const shown = await textOf(server.address, at);
    assert.ok(shown.includes(`"xs":[${list}]`) && shown.includes(`"same":[${list}]`), shown);
    const client = createClient(server.address);
    const params = { run_id: imported.stdout.trim() };
    const { run_id: runId } = await client("POST /api/runs/{run_id}/reproduce", { params, body: {} });
    const reproduced = await untilRun(client, runId);
    assert.equal(reproduced.state, "COMPLETE", reproduced.state_reason?.message ?? "");
    assert.equal(JSON.stringify(reproduced.outputs?.["same"]), `[${list}]`);
    await server.stop("SIGTERM");
  });
});
