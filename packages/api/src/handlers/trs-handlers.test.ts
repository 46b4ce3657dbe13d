import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "../../test/test-server.ts";

const TOOLS = "/ga4gh/trs/v2/tools";

const FILTERS: readonly (readonly [query: string, ids: readonly string[]])[] = [
  ["", ["networks:imaging-cohort", "tools:smooth"]],
  ["?toolClass=Workflow", ["networks:imaging-cohort"]],
  ["?toolClass=CommandLineTool", ["tools:smooth"]],
  ["?name=IMAGING", ["networks:imaging-cohort"]],
  ["?id=tools:smooth", ["tools:smooth"]],
  ["?id=smooth", []],
  ["?descriptorType=WDL", []],
  ["?descriptorType=cwl&limit=1&offset=1", ["tools:smooth"]],
  ["?checker=true", []],
  ["?author=somebody", []],
  ["?offset=7", []],
];

test("the list filters and pages", async (t) => {
  const server = await startTestServer(t);
  for (const [query, ids] of FILTERS) {
    const answer = await server.call(`GET ${TOOLS}${query}`);
    assert.deepEqual(
      JSON.parse(answer.text).map((tool: { readonly id: string }) => tool.id),
      ids,
      query,
    );
  }
  const first = await server.call(`GET ${TOOLS}?limit=1&descriptorType=CWL`);
  const next = new URL(first.headers.get("next_page") ?? "");
  assert.equal(next.search, "?descriptorType=CWL&offset=1&limit=1");
  const last = await server.call(`GET ${next.pathname}${next.search}`);
  assert.deepEqual(
    [last.headers.get("next_page"), last.headers.get("self_link")],
    [null, first.headers.get("last_page")],
  );
});

test("an entry leads to its versions, its document and its examples", async (t) => {
  const server = await startTestServer(t);
  const read = async (path: string) => JSON.parse((await server.call(`GET ${TOOLS}/${path}`)).text);
  const tool = await read("tools:smooth");
  assert.deepEqual(
    tool.versions.map((version: { readonly id: string }) => version.id),
    ["2.0.0", "1.0.0"],
  );
  assert.equal((await read("networks%3Aimaging-cohort/versions"))[0].id, "unversioned");
  assert.equal((await read("networks:imaging-cohort/versions/current")).id, "unversioned");
  const [network] = [await read("networks:imaging-cohort")];
  const { pathname } = new URL(network.versions[0].url);
  const plain = await server.call(`GET ${pathname}/PLAIN_CWL/descriptor`);
  assert.equal(plain.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(JSON.parse(plain.text).class, "Workflow");
  const wrapped = JSON.parse((await server.call(`GET ${pathname}/CWL/descriptor`)).text);
  assert.equal(wrapped.content, plain.text);
  assert.equal((await server.call(`GET ${new URL(wrapped.url).pathname}`)).status, 200);
  const files = JSON.parse((await server.call(`GET ${pathname}/CWL/files`)).text);
  assert.deepEqual(
    files.map((file: { readonly path: string }) => file.path),
    ["imaging-cohort.cwl", "examples/cohort.json"],
  );
  const [example] = JSON.parse((await server.call(`GET ${pathname}/CWL/tests`)).text);
  assert.deepEqual(JSON.parse(example.content), { images: [] });
});

const MISSING = [
  "smooth",
  "tools:nothing",
  "networks:smooth",
  "tools:smooth/versions/9",
  "tools:smooth/versions/unversioned",
  "networks:imaging-cohort/versions/1.0",
  "tools:smooth/versions/1.0.0/WDL/descriptor",
  "networks:imaging-cohort/versions/current/CWL/descriptor/other.cwl",
  "networks:imaging-cohort/versions/current/containerfile",
];

test("what is not there is told in the form of TRS", async (t) => {
  const server = await startTestServer(t);
  for (const path of MISSING) {
    const answer = await server.call(`GET ${TOOLS}/${path}`);
    const body = JSON.parse(answer.text);
    assert.deepEqual([answer.status, body.code, typeof body.message], [404, 404, "string"], path);
  }
  assert.equal((await server.call(`GET ${TOOLS}?limit=0`)).status, 400);
});
