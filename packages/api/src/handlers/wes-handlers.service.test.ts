import assert from "node:assert/strict";
import { test } from "node:test";
import { endedRun, untilRun } from "@weft/engine/testing/drive-runs.ts";
import { startTestServer, wesForm } from "../../test/test-server.ts";

const RUNS = "/ga4gh/wes/v1/runs";

test("a run is started by WES and found by both interfaces", async (t) => {
  const server = await startTestServer(t);
  const params = {
    images: [
      { class: "File", path: "./images/sub-01.nii" },
      { class: "File", location: "weft-data://cohort/a.nii" },
    ],
  };
  const form = wesForm(
    {
      workflow_url: `${server.address}/ga4gh/trs/v2/tools/networks:imaging-cohort`,
      workflow_params: JSON.stringify(params),
      tags: JSON.stringify({ study: "pilot" }),
      workflow_engine_parameters: JSON.stringify({ max_parallel_jobs: "2", retries: "1" }),
      workflow_engine: "weft",
      workflow_engine_version: "test",
    },
    { "images/sub-01.nii": "content" },
  );
  const { run_id: id } = JSON.parse((await server.call(`POST ${RUNS}`, form)).text);
  const log = JSON.parse((await server.call(`GET ${RUNS}/${id}`)).text);
  const [uploaded] = log.request.workflow_params.images;
  assert.match(uploaded.location, /^weft-data:\/\/uploads\/.*sub-01\.nii$/);
  assert.deepEqual(log.request, {
    workflow_params: {
      images: [
        { class: "File", location: uploaded.location },
        { class: "File", location: "weft-data://cohort/a.nii" },
      ],
    },
    workflow_type: "CWL",
    workflow_type_version: "v1.2",
    tags: { study: "pilot" },
    workflow_engine: "weft",
    workflow_engine_parameters: { max_parallel_jobs: "2", retries: "1" },
    workflow_url: `${server.address}/ga4gh/trs/v2/tools/networks:imaging-cohort`,
  });
  assert.deepEqual(JSON.parse((await server.call(`GET ${RUNS}/${id}/status`)).text), { run_id: id, state: "RUNNING" });
  assert.equal((await server.call(`GET /api/runs/${id}`)).status, 200);
  await untilRun(server.engine, id, ({ job_counts: counts }) => counts.RUNNING === 1);
  const { task_logs: tasks } = JSON.parse((await server.call(`GET ${RUNS}/${id}/tasks`)).text);
  assert.deepEqual(
    tasks.map((task: { readonly id: string }) => task.id),
    ["smooth"],
  );
  const task = JSON.parse((await server.call(`GET ${RUNS}/${id}/tasks/smooth`)).text);
  assert.match(task.cmd.join(" "), /^smooth \S+sub-01\.nii \S+a\.nii$/);
  assert.equal(task.stderr, `${server.address}/api/runs/${id}/jobs/smooth/log?stream=stderr`);
  assert.deepEqual(JSON.parse((await server.call(`POST ${RUNS}/${id}/cancel`)).text), { run_id: id });
  await endedRun(server.engine, id);
  assert.equal(JSON.parse((await server.call(`GET ${RUNS}/${id}/status`)).text).state, "CANCELED");
});

test("runs are listed by their state", async (t) => {
  const server = await startTestServer(t);
  const [first, second] = [await server.startRun(), await server.startRun()];
  await first.end();
  const ids = async (state: string) =>
    JSON.parse((await server.call(`GET ${RUNS}?state=${state}`)).text).runs.map(
      ({ run_id: id }: { readonly run_id: string }) => id,
    );
  assert.deepEqual([await ids("COMPLETE"), await ids("RUNNING,COMPLETE")], [[first.id], [second.id, first.id]]);
  assert.equal((await server.call(`GET ${RUNS}?state=DONE`)).status, 400);
});

test("a bare id names a network, or else a tool", async (t) => {
  const server = await startTestServer(t);
  for (const workflow_url of ["imaging-cohort", "smooth", "tools:smooth"])
    assert.equal((await server.call(`POST ${RUNS}`, wesForm({ workflow_url }))).status, 200, workflow_url);
});

const WRONG: Readonly<Record<string, readonly [init: RequestInit, status: number, msg: RegExp]>> = {
  "no document": [wesForm({}), 400, /workflow_url: This field is required/],
  "an unknown document": [wesForm({ workflow_url: "nowhere" }), 404, /nowhere/],
  "a document elsewhere": [wesForm({ workflow_url: "https://other.example/a.cwl" }), 400, /id of a network or tool/],
  "an attached document": [
    wesForm({ workflow_url: "a.cwl" }, { "a.cwl": "class: Workflow" }),
    400,
    /only documents of its catalog/,
  ],
  "another language": [wesForm({ workflow_url: "smooth", workflow_type: "WDL" }), 400, /Only CWL/],
  "another version": [wesForm({ workflow_url: "smooth", workflow_type_version: "v9" }), 400, /v1\.0, v1\.1, v1\.2/],
  "params that are not JSON": [
    wesForm({ workflow_url: "smooth", workflow_params: "sub: yaml" }),
    400,
    /^\/workflow_params: Expected [^;]*$/,
  ],
  "tags that are not JSON": [wesForm({ workflow_url: "smooth", tags: "no" }), 400, /^\/tags: Expected [^;]*$/],
  "engine parameters that are not JSON": [
    wesForm({ workflow_url: "smooth", workflow_engine_parameters: "{" }),
    400,
    /^\/workflow_engine_parameters: Expected [^;]*$/,
  ],
  "params with a name that is not allowed": [
    wesForm({ workflow_url: "smooth", workflow_params: '{"a": {"__proto__": 1}}' }),
    400,
    /^\/workflow_params: this has a key.*\/workflow_params\/a/,
  ],
  "tags that nest too deeply": [
    wesForm({ workflow_url: "smooth", tags: `${"[".repeat(99)}${"]".repeat(99)}` }),
    400,
    /^\/tags: this is nested deeper/,
  ],
  "params that are not an object": [
    wesForm({ workflow_url: "smooth", workflow_params: "[1]" }),
    400,
    /workflow_params/,
  ],
  "tags that are not strings": [wesForm({ workflow_url: "smooth", tags: '{"a":1}' }), 400, /\/tags\/a/],
  "a parameter of a wrong type": [
    wesForm({ workflow_url: "smooth", workflow_engine_parameters: '{"retries":"many"}' }),
    400,
    /retries/,
  ],
  "a version of no engine": [wesForm({ workflow_url: "smooth", workflow_engine_version: "0.1.0" }), 400, /needs its/],
  JSON: [{ body: "{}", headers: { "content-type": "application/json" } }, 415, /multipart/],
};

test("errors are reported in the form of WES", async (t) => {
  const server = await startTestServer(t);
  for (const [name, [init, status, msg]] of Object.entries(WRONG)) {
    const answer = await server.call(`POST ${RUNS}`, init);
    const body = JSON.parse(answer.text);
    assert.deepEqual([answer.status, body.status_code], [status, status], `${name}: ${answer.text}`);
    assert.match(body.msg, msg, name);
  }
  const missing = await server.call(`GET ${RUNS}/nothing`);
  assert.deepEqual([missing.status, missing.headers.get("content-type")], [404, "application/json; charset=utf-8"]);
  assert.equal(JSON.parse((await server.call("GET /api/runs")).text).total, 0);
});
