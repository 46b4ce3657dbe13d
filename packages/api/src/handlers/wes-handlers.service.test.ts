import assert from "node:assert/strict";
import { test } from "node:test";
import { endedRun, untilRun } from "@weft/engine/testing/drive-runs.ts";
import { json, startTestServer, wesForm } from "../../test/test-server.ts";

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
  assert.equal(tasks.map((task: { readonly id: string }) => task.id).join(" "), "smooth");
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

const smooth = (fields: Readonly<Record<string, string>>) => wesForm({ workflow_url: "smooth", ...fields });
const params = (text: string) => smooth({ workflow_params: text });
const tags = (text: string) => smooth({ tags: text });

/** Requests, and the messages of their refusals. */
const WRONG: Readonly<Record<string, readonly [init: RequestInit, msg: RegExp, status?: number]>> = {
  "no document": [wesForm({}), /workflow_url: This field is required/],
  "an unknown document": [smooth({ workflow_url: "nowhere" }), /nowhere/, 404],
  "a document elsewhere": [smooth({ workflow_url: "https://other.example/a.cwl" }), /ID of a network or tool/],
  "an attached document": [wesForm({ workflow_url: "a.cwl" }, { "a.cwl": "x" }), /only documents of its catalog/],
  "another language": [smooth({ workflow_type: "WDL" }), /only CWL/],
  "another version": [smooth({ workflow_type_version: "v9" }), /v1\.0, v1\.1, v1\.2/],
  "params that are not JSON": [params("sub: yaml"), /^\/workflow_params: Expected [^;]*$/],
  "tags that are not JSON": [tags("no"), /^\/tags: Expected [^;]*$/],
  "engine parameters that are not JSON": [
    smooth({ workflow_engine_parameters: "{" }),
    /^\/workflow_engine_parameters: Expected [^;]*$/,
  ],
  "params with a forbidden name": [
    params('{"a": {"__proto__": 1}}'),
    /^\/workflow_params: this has a key.*\/workflow_params\/a/,
  ],
  "tags that nest too deeply": [tags("[".repeat(99) + "]".repeat(99)), /^\/tags: this is nested deeper/],
  "params that are not an object": [params("[1]"), /workflow_params/],
  "tags that are not strings": [tags('{"a":1}'), /\/tags\/a/],
  "a parameter of a wrong type": [smooth({ workflow_engine_parameters: '{"retries":"many"}' }), /retries/],
  "a version of no engine": [smooth({ workflow_engine_version: "0.1.0" }), /needs its/],
  JSON: [json({}), /multipart/, 415],
};

test("errors are reported in the form of WES", async (t) => {
  const server = await startTestServer(t);
  for (const [name, [init, msg, status = 400]] of Object.entries(WRONG)) {
    const answer = await server.call(`POST ${RUNS}`, init);
    const body = JSON.parse(answer.text);
    assert.deepEqual([answer.status, body.status_code], [status, status], `${name}: ${answer.text}`);
    assert.match(body.msg, msg, name);
  }
  const missing = await server.call(`GET ${RUNS}/nothing`);
  assert.deepEqual([missing.status, missing.headers.get("content-type")], [404, "application/json; charset=utf-8"]);
  assert.equal(JSON.parse((await server.call("GET /api/runs")).text).total, 0);
});
