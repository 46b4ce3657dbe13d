import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer, wesForm } from "../../test/test-server.ts";

const RUNS = "/ga4gh/wes/v1/runs";
const PARAMS = JSON.stringify({ images: [] });
const COMMON = { workflow_type: "CWL", workflow_type_version: "v1.0", workflow_params: PARAMS };

/** A form in which every part has a file name, as the library requests sends `files`. */
function named(fields: Readonly<Record<string, string>>, type = "application/octet-stream"): RequestInit {
  const body = new FormData();
  for (const [name, text] of Object.entries(fields)) body.append(name, new Blob([text], { type }), name);
  return { body };
}

/** Requests of clients, written from their documentation. `ADDRESS` is replaced by that of the server. */
const SHAPES: Readonly<Record<string, (address: string) => RequestInit>> = {
  "wes-client without attachments: urlencoded": (address) => ({
    body: new URLSearchParams({ ...COMMON, workflow_url: `${address}/ga4gh/trs/v2/tools/networks:imaging-cohort` }),
  }),
  "Dockstore: the parameters are a file": (address) => {
    const url = `${address}/ga4gh/trs/v2/tools/networks%3Aimaging-cohort/versions/unversioned/PLAIN_CWL/descriptor/%2Fimaging-cohort.cwl`;
    const { body } = wesForm({
      workflow_type_version: "v1.0",
      tags: '{"Client":"Dockstore"}',
      workflow_engine_parameters: "{}",
      workflow_url: url,
    });
    if (body instanceof FormData)
      body.append("workflow_params", new Blob([PARAMS], { type: "application/json" }), "params.json");
    return { body: body ?? null };
  },
  "yevis: fields of its own, and attachments as a text": () =>
    wesForm({
      ...COMMON,
      workflow_url: "imaging-cohort",
      workflow_engine_name: "cwltool",
      workflow_engine_parameters: "{}",
      workflow_attachment: "[]",
      yevis_metadata: "{}",
    }),
  "sapporo: another engine of CWL": () =>
    wesForm({ ...COMMON, workflow_url: "imaging-cohort", workflow_engine: "cwltool" }),
  "Toil: a type in lower case, options of its own engine": () =>
    wesForm({
      ...COMMON,
      workflow_type: "cwl",
      workflow_url: "imaging-cohort",
      workflow_engine_parameters: '{"--logLevel": "INFO"}',
    }),
  "GA4GH testbed: every part has a file name": () => named({ ...COMMON, workflow_url: "imaging-cohort" }),
  "generated clients: JSON parts with their own media type": () =>
    named({ ...COMMON, workflow_url: "imaging-cohort", tags: "{}" }, "application/json"),
};

for (const [client, init] of Object.entries(SHAPES))
  test(`WES starts a run for ${client}`, async (t) => {
    const server = await startTestServer(t);
    const answer = await server.call(`POST ${RUNS}`, init(server.address));
    assert.equal(answer.status, 200, answer.text);
    const run = JSON.parse((await server.call(`GET ${RUNS}/${JSON.parse(answer.text).run_id}`)).text);
    assert.deepEqual(run.request.workflow_params.images, []);
  });

test("a run describes the request of its client and its ignored parts", async (t) => {
  const server = await startTestServer(t);
  const fields = { workflow_url: "networks:imaging-cohort", yevis_metadata: "{}", workflow_engine: "cwltool" };
  const answer = await server.call(
    `POST ${RUNS}`,
    wesForm({ ...COMMON, ...fields, workflow_engine_parameters: '{"speed":"9"}' }),
  );
  const run = JSON.parse((await server.call(`GET ${RUNS}/${JSON.parse(answer.text).run_id}`)).text);
  assert.equal(run.request.workflow_url, "networks:imaging-cohort");
  assert.equal(run.request.workflow_type_version, "v1.0");
  const notes = run.run_log.system_logs.join("\n");
  for (const ignored of [/yevis_metadata/, /cwltool/, /speed/]) assert.match(notes, ignored);
});

test("clients read seconds, standard error, exit code and commands of tasks", async (t) => {
  const server = await startTestServer(t);
  const [failing, passing] = [await server.startRun(), await server.startRun()];
  const { id } = failing;
  const read = async (path = "") => JSON.parse((await server.call(`GET ${RUNS}/${id}${path}`)).text);
  const running = await read();
  assert.deepEqual([running.run_log.exit_code, running.state], [undefined, "RUNNING"]);
  assert.match(running.run_log.start_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual((await read("/tasks")).task_logs[0].cmd, ["smooth"]);
  await failing.end(1);
  const failed = await read();
  assert.equal(failed.run_log.exit_code, 1);
  assert.equal(failed.run_log.stdout, `${server.address}/api/runs/${id}/outputs`);
  const { status, headers, text } = await server.call(`GET ${new URL(failed.run_log.stderr).pathname}`);
  assert.deepEqual([status, headers.get("content-type")], [200, "text/plain; charset=utf-8"]);
  assert.match(text, /EXECUTOR_ERROR/);
  await passing.end();
  const passed = JSON.parse((await server.call(`GET ${RUNS}/${passing.id}`)).text);
  assert.equal(passed.run_log.exit_code, 0);
});

test("a client without a token learns where to get one, and gets no information about runs", async (t) => {
  const server = await startTestServer(t, { auth: { mode: "token", token: "s".repeat(43) } });
  await server.startRun();
  const answer = await server.call("GET /ga4gh/wes/v1/service-info");
  const info = JSON.parse(answer.text);
  assert.deepEqual([answer.status, info.system_state_counts], [200, {}]);
  assert.equal(info.auth_instructions_url, `${server.address}/doc/how-to/use-the-api`);
  assert.equal((await server.call("GET /ga4gh/trs/v2/service-info")).status, 200);
  assert.equal((await server.call(`GET ${RUNS}`)).status, 401);
});

const LOCAL = ["./images/sub-01.nii", "/home/ann/study/images/sub-01.nii", "file:///home/ann/study/images/sub-01.nii"];

test("a local path of the client refers to the attachment with the same ending", async (t) => {
  const server = await startTestServer(t);
  for (const path of LOCAL) {
    const params = JSON.stringify({ images: [{ class: "File", location: path }] });
    const form = wesForm(
      { workflow_url: "imaging-cohort", workflow_params: params },
      { "sub-01.nii": "a", "images/sub-01.nii": "b" },
    );
    const { run_id: id } = JSON.parse((await server.call(`POST ${RUNS}`, form)).text);
    const run = JSON.parse((await server.call(`GET ${RUNS}/${id}`)).text);
    const [{ location }] = run.request.workflow_params.images;
    assert.match(location, /sub-01\.nii$/, path);
  }
});
