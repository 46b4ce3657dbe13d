import assert from "node:assert/strict";
import type { Readable } from "node:stream";
import { test } from "node:test";
import type { Caller } from "@weft/engine/port/caller.ts";
import { caller } from "@weft/engine/testing/drive-runs.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { problemOf, startTestServer, wesForm } from "../../test/test-server.ts";
import { ask } from "@weft/engine/testing/ask-engine.ts";

const IMAGE = { class: "File", location: "form:image" };
const RUN = { network: "imaging-cohort", inputs: { images: [IMAGE], note: "form:image" } };

function form(run: unknown, files: Readonly<Record<string, string>> = {}): FormData {
  const made = new FormData();
  made.append("run", typeof run === "string" ? run : JSON.stringify(run));
  for (const [part, content] of Object.entries(files)) made.append(part, new Blob([content]), `${part}.nii`);
  return made;
}

test("a run and its files come in one request", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.call("POST /api/runs", { body: form(RUN, { image: "content" }) });
  assert.equal(answer.status, 201, answer.text);
  const { inputs } = JSON.parse(answer.text);
  assert.equal(inputs.note, "form:image");
  assert.equal(inputs.images.length, 1);
  const [{ location }] = inputs.images;
  const { entries } = await ask(server.engine, "GET /api/files", {
    caller,
    query: { location: location.replace(/[^/]*$/, "") },
  });
  const found = entries.map(({ name, size }) => [name, size]);
  assert.deepEqual(found, [["image.nii", "content".length]]);
});

test("the JSON may be a file, as browsers send a Blob", async (t) => {
  const server = await startTestServer(t);
  const body = new FormData();
  body.append("run", new Blob([JSON.stringify(RUN)], { type: "application/json" }));
  body.append("image", new Blob(["content"]), "a.nii");
  assert.equal((await server.call("POST /api/runs?dry_run=true", { body })).status, 200);
});

test("a form that is repeated with its key is the same request, although its uploads have other locations", async (t) => {
  const server = await startTestServer(t);
  const post = async (content: string) => {
    const { status, headers, text } = await server.call("POST /api/runs", {
      body: form(RUN, { image: content }),
      headers: { "idempotency-key": "k" },
    });
    return [status, headers.get("idempotency-replayed"), JSON.parse(text).run_id];
  };
  const [status, replayed, runId] = await post("content");
  assert.deepEqual([status, replayed], [201, null]);
  assert.deepEqual(await post("content"), [201, "true", runId]);
  assert.deepEqual(await post("other content"), [409, null, undefined]);
});

const WRONG: readonly (readonly [name: string, body: FormData, status: number, detail: RegExp])[] = [
  ["no part `run`", form(RUN), 422, /missing from the form/],
  ["invalid JSON", form("{"), 400, /Expected a key/],
  ["an unknown field", form({ ...RUN, inptus: {} }, { image: "x" }), 422, /inptus/],
  [
    "a file that nothing names",
    form({ network: "imaging-cohort" }, { image: "x" }),
    400,
    /no File in `run` has the location "form:image"/,
  ],
];

test("an invalid form is refused, and none of its files is stored", async (t) => {
  const server = await startTestServer(t);
  for (const [name, body, status, detail] of WRONG) {
    const answer = await server.call("POST /api/runs", { body });
    assert.equal(answer.status, status, name);
    assert.match(problemOf(answer).detail, detail);
  }
  const missing = problemOf(await server.call("POST /api/runs", { body: form(RUN) }));
  const shown = missing.errors.map(({ pointer, code }) => [pointer, code]);
  assert.deepEqual(shown, [["/inputs/images/0/location", "missing-part"]]);
  const late = new FormData();
  late.append("image", new Blob(["x"]), "a.nii");
  late.append("run", JSON.stringify(RUN));
  assert.match(problemOf(await server.call("POST /api/runs", { body: late })).detail, /must come before the files/);
  assert.match(problemOf(await server.call("POST /api/runs", { body: new FormData() })).detail, /no part `run`/);
  const { entries } = await ask(server.engine, "GET /api/files", {
    caller,
    query: { location: "weft-data://uploads/" },
  });
  assert.deepEqual([entries, server.engine.runs.list(caller, {}).total], [[], 0]);
});

test("refuses a file that is too large or does not fit on the disk, with that reason", async (t) => {
  const server = await startTestServer(t, { engineOptions: { maxUploadBytes: 1000 } });
  const large = "x".repeat(1_000_000);
  const post = async (request: string, init: RequestInit) => (await server.call(request, init)).status;
  const wes = wesForm({ workflow_url: "imaging-cohort" }, { "a.nii": large });
  assert.equal(await post("POST /api/runs", { body: form(RUN, { image: large }) }), 413);
  assert.equal(await post("POST /ga4gh/wes/v1/runs", wes), 413);
  t.mock.method(server.engine.files, "upload", async (_caller: Caller, _name: string, content: Readable) => {
    const full = new Refusal("disk-full", "The disk is full");
    content.destroy(full);
    throw full;
  });
  assert.equal(await post("POST /api/runs", { body: form(RUN, { image: large }) }), 503);
});

test("refuses a form that is cut off or has no boundary", async (t) => {
  const server = await startTestServer(t);
  const post = (type: string, body: string) =>
    server.call("POST /api/runs", { body, headers: { "content-type": type } });
  const head = `--x\r\nContent-Disposition: form-data; name="run"\r\n\r\n${JSON.stringify(RUN)}\r\n--x\r\n`;
  const half = `${head}Content-Disposition: form-data; name="image"; filename="a"\r\n\r\nhalf`;
  assert.equal((await post("multipart/form-data; boundary=x", half)).status, 400);
  assert.equal((await post("multipart/form-data", half)).status, 400);
  assert.equal((await post("multipart/mixed; boundary=x", half)).status, 415);
});
