import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import * as fc from "fast-check";
import type { Run } from "@weft/shared/records/run-record.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { untilRun } from "../src/testing/follow-run.ts";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";
import type { Served } from "../src/testing/serve-in-process.ts";

const root = await mkdtemp(join(tmpdir(), "weft-longs-"));
after(() => rm(root, { recursive: true }));
const state = join(root, "state");

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
const write = async (path: string, text: string) => {
  await mkdir(join(root, path, ".."), { recursive: true });
  await writeFile(join(root, path), text);
};
await write("catalog/tools/echo/1.0.0/echo.cwl", TOOL);
await write("catalog/networks/echo-all/echo-all.cwl", NETWORK);

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
    const { jobs } = await client("GET /api/runs/{run_id}/jobs", { params: { run_id: run.run_id } });
    const records = await Promise.all(
      jobs.map(({ job_id }) =>
        client("GET /api/runs/{run_id}/jobs/{job_id}", { params: { run_id: run.run_id, job_id } }),
      ),
    );
    assert.deepEqual(new Set(records.map(({ command }) => command?.argv.at(-1))), new Set(LONGS));
    const tool = await textOf(server.address, "/api/networks/echo-all");
    assert.ok(tool.includes('"default":9223372036854775806'), tool);

    const table = await weft(["table", "--state", state, run.run_id, "--field", "input.xs,output.same"]);
    assert.equal(
      table.stdout,
      `sample,xs,same\r\n${LONGS.map((long, index) => `s${index},${long},${long}\r\n`).join("")}`,
    );

    await server.stop("SIGTERM");
    server = await open();
    await checkRecords();
    const verified = await weft(["verify", "--state", state]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
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
  const run = (...args: string[]) => weft(["run", "--quiet", "--outdir", join(root, "out"), ...args], { cwd: root });
  const document = join(root, "catalog/networks/echo-all/echo-all.cwl");

  it("in files and flags", async () => {
    await write("job.yml", `xs:\n${LONGS.map((long) => `- ${long}\n`).join("")}`);
    await write("job.json", `{"xs": [${list}], "given": 9007199254740993}`);
    for (const [args, given] of [
      [["job.yml"], "9223372036854775806"],
      [["job.json"], "9007199254740993"],
      [["job.yml", "--given", "-9223372036854775807"], "-9223372036854775807"],
      [LONGS.flatMap((long) => ["--xs", long]), "9223372036854775806"],
    ] as const) {
      const { code, stdout, stderr } = await run(document, ...args);
      assert.equal(code, 0, stderr);
      const text = stdout.replaceAll(/\s/g, "");
      assert.ok(text.includes(`"same":[${list}]`), text);
      assert.ok(text.includes(`"given":${given}`), text);
    }
    assert.match((await run(document, "job.yml", "--given", "9223372036854775808")).stderr, /is not of type long/);
  });

  it("in a crate, which a server imports and reproduces", async () => {
    const crate = join(root, "crate");
    await write("crate.json", `{"xs": [${list}]}`);
    const result = await run("--provenance", crate, document, "crate.json");
    assert.equal(result.code, 0, result.stderr);
    const texts = await Promise.all(
      (await readdir(crate))
        .filter((name) => name.endsWith(".json"))
        .map((name) => readFile(join(crate, name), "utf8")),
    );
    for (const long of LONGS) assert.ok(texts.some((text) => text.includes(long)));
    const imported = await weft(["import", "--state", join(root, "importing"), crate]);
    assert.equal(imported.code, 0, imported.stderr);
    const server = await open(join(root, "importing"));
    const at = `/api/runs/${imported.stdout.trim()}`;
    const shown = await textOf(server.address, at);
    assert.ok(shown.includes(`"xs":[${list}]`) && shown.includes(`"same":[${list}]`), shown);
    const headers = { "content-type": "application/json" };
    const again = await fetch(`${server.address}${at}/reproduce`, { method: "POST", headers, body: "{}" });
    const { run_id: runId } = (await again.json()) as Run;
    const reproduced = await untilRun(createClient(server.address), runId);
    assert.equal(reproduced.state, "COMPLETE", reproduced.state_reason?.message ?? "");
    assert.equal(JSON.stringify(reproduced.outputs?.["same"]), `[${list}]`);
    await server.stop("SIGTERM");
  });
});
