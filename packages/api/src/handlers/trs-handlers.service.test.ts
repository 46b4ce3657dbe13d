import assert from "node:assert/strict";
import { test } from "node:test";
import { json, startTestServer } from "../../test/test-server.ts";

const TOOLS = "/ga4gh/trs/v2/tools";

const FILTERS: readonly (readonly [query: string, ids: readonly string[]])[] = [
  ["", ["imaging-cohort", "smooth"]],
  ["?toolClass=Workflow", ["imaging-cohort"]],
  ["?toolClass=CommandLineTool", ["smooth"]],
  ["?name=IMAGING", ["imaging-cohort"]],
  ["?id=tools:smooth", ["smooth"]],
  ["?id=smooth", ["smooth"]],
  ["?alias=tools:smooth", ["smooth"]],
  ["?alias=smooth", []],
  ["?limit=1000000", ["imaging-cohort", "smooth"]],
  ["?descriptorType=WDL", []],
  ["?descriptorType=cwl&limit=1&offset=1", ["smooth"]],
  ["?checker=true", []],
  ["?author=someone", []],
  ["?offset=7", []],
];

test("the list filters and pages", async (t) => {
  const server = await startTestServer(t);
  for (const [query, ids] of FILTERS) {
    const answer = await server.call(`GET ${TOOLS}${query}`);
    const found = JSON.parse(answer.text).map((tool: { readonly id: string }) => tool.id);
    assert.deepEqual(found, ids, query);
  }
  const first = await server.call(`GET ${TOOLS}?limit=1&descriptorType=CWL`);
  const next = new URL(first.headers.get("next_page") ?? "");
  assert.equal(next.search, "?descriptorType=CWL&offset=1&limit=1");
  const last = await server.call(`GET ${next.pathname}${next.search}`);
  const actual = [last.headers.get("next_page"), last.headers.get("self_link")];
  assert.deepEqual(actual, [null, first.headers.get("last_page")]);
});

test("a page costs only its own entries", async (t) => {
  const server = await startTestServer(t);
  const presented = t.mock.method(server.engine.catalog, "summary");
  await server.call(`GET ${TOOLS}?limit=1&offset=1`);
  const shown = presented.mock.calls.map(({ arguments: [, entry] }) => entry);
  assert.deepEqual(shown, [{ kind: "tool", id: "smooth" }]);
});

test("an entry leads to its versions, its document and its examples", async (t) => {
  const server = await startTestServer(t);
  const read = async (path: string) => JSON.parse((await server.call(`GET ${TOOLS}/${path}`)).text);
  const tool = await read("tools:smooth");
  assert.equal(tool.versions.map((version: { readonly id: string }) => version.id).join(" "), "2.0.0 1.0.0");
  assert.equal((await read("networks%3Aimaging-cohort/versions"))[0].id, "unversioned");
  assert.equal((await read("networks:imaging-cohort/versions/current")).id, "unversioned");
  const [network] = [await read("networks:imaging-cohort")];
  const { pathname } = new URL(network.versions[0].url);
  const plain = await server.call(`GET ${pathname}/PLAIN_CWL/descriptor`);
  assert.equal(plain.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(JSON.parse(plain.text).cwlVersion, "v1.2");
  const wrapped = JSON.parse((await server.call(`GET ${pathname}/CWL/descriptor`)).text);
  assert.equal(wrapped.content, plain.text);
  assert.equal((await server.call(`GET ${new URL(wrapped.url).pathname}`)).status, 200);
  const files = JSON.parse((await server.call(`GET ${pathname}/CWL/files`)).text);
  assert.deepEqual(
    files.map((file: { readonly path: string }) => file.path),
    ["imaging-cohort.cwl", "catalog/lib/a b.sh", "catalog/lib/table.bin", "examples/cohort.json"],
  );
  const [example] = JSON.parse((await server.call(`GET ${pathname}/CWL/tests`)).text);
  assert.deepEqual(JSON.parse(example.content), { images: [] });
});

test("marks only versions that cannot change as production", async (t) => {
  const server = await startTestServer(t);
  const draft = await server.call("POST /api/drafts", json({ kind: "tool", id: "smooth", based_on: "2.0.0" }));
  const publish = json({ version: "3.0.0" }, { "if-match": '"1"' });
  const published = await server.call(`POST /api/drafts/${JSON.parse(draft.text).draft_id}/publish`, publish);
  assert.equal(published.status, 201, published.text);
  const { versions } = JSON.parse((await server.call(`GET ${TOOLS}/smooth`)).text);
  assert.deepEqual(
    versions.map((version: { readonly id: string; readonly is_production: boolean }) => [
      version.id,
      version.is_production,
    ]),
    [
      ["3.0.0", true],
      ["2.0.0", false],
      ["1.0.0", false],
    ],
  );
  assert.equal(JSON.parse((await server.call(`GET ${TOOLS}/smooth/versions/latest`)).text).id, "3.0.0");
});

test("a tool that shares the id of a network keeps its kind in its id", async (t) => {
  const server = await startTestServer(t);
  const { catalog } = server.engine;
  const getTool = catalog.getTool.bind(catalog);
  t.mock.method(catalog, "getTool", (...[asked]: Parameters<typeof getTool>) => ({
    ...getTool(asked, "smooth", undefined),
    id: "imaging-cohort",
  }));
  const read = async (id: string) => JSON.parse((await server.call(`GET ${TOOLS}/${id}`)).text);
  const [network, tool] = [await read("imaging-cohort"), await read("tools:imaging-cohort")];
  assert.deepEqual([network.id, network.toolclass.name], ["imaging-cohort", "Workflow"]);
  assert.deepEqual([tool.id, tool.toolclass.name], ["tools:imaging-cohort", "CommandLineTool"]);
});

/** `…/PLAIN_CWL/descriptor` and the addresses that cwltool requests, with the media type of each answer. */
const FILES: readonly (readonly [path: string, text: string, mediaType: string])[] = [
  ["/ga4gh/trs/v2/tools/smooth/versions/1.0.0/PLAIN_CWL/descriptor/catalog/lib/a%20b.sh", "echo a", "text/plain"],
  ["/ga4gh/trs/v2/tools/smooth/versions/1.0.0/PLAIN_CWL/descriptor/catalog%2Flib%2Fa%20b.sh", "echo a", "text/plain"],
  ["/ga4gh/trs/v2/tools/smooth/versions/1.0.0/PLAIN_CWL/catalog/lib/a%20b.sh", "echo a", "text/plain"],
  ["/api/ga4gh/v2/tools/smooth/versions/1.0.0/plain-CWL/descriptor/catalog/lib/a%20b.sh", "echo a", "text/plain"],
];

test("helper files are served where the references of the document lead, and as a zip", async (t) => {
  const server = await startTestServer(t);
  for (const [path, text, mediaType] of FILES) {
    const answer = await server.call(`GET ${path}`);
    const [type] = answer.headers.get("content-type")?.split(";") ?? [];
    assert.deepEqual([answer.status, answer.text, type], [200, text, mediaType], path);
  }
  const zip = await server.call("GET /ga4gh/trs/v2/tools/smooth/versions/1.0.0/CWL/files?format=zip");
  assert.deepEqual([zip.status, zip.headers.get("content-type")], [200, "application/zip"]);
  assert.match(zip.text, /^PK.*catalog\/lib\/a b\.sh/s);
  const files = JSON.parse((await server.call("GET /api/ga4gh/v2/tools/smooth/versions/latest/CWL/files")).text);
  const actual = files.map((file: { readonly checksum: { readonly type: string } }) => file.checksum.type);
  assert.deepEqual(actual, ["sha-256", "sha-256", "sha-256"]);
  const binary = JSON.parse(
    (await server.call(`GET ${TOOLS}/smooth/versions/1.0.0/CWL/descriptor/catalog/lib/table.bin`)).text,
  );
  assert.deepEqual(
    [binary.content, new URL(binary.url).pathname],
    [undefined, `${TOOLS}/smooth/versions/1.0.0/CWL/descriptor/catalog/lib/table.bin`],
  );
});

const MISSING = [
  "nothing",
  "tools:nothing",
  "networks:smooth",
  "tools:smooth/versions/9",
  "tools:smooth/versions/unversioned",
  "networks:imaging-cohort/versions/1.0",
  "tools:smooth/versions/1.0.0/WDL/descriptor",
  "networks:imaging-cohort/versions/current/CWL/descriptor/other.cwl",
  "networks:imaging-cohort/versions/current/containerfile",
];

test("a missing record is reported in the form of TRS", async (t) => {
  const server = await startTestServer(t);
  for (const path of MISSING) {
    const answer = await server.call(`GET ${TOOLS}/${path}`);
    const body = JSON.parse(answer.text);
    assert.deepEqual([answer.status, body.code, typeof body.message], [404, 404, "string"], path);
  }
  assert.equal((await server.call(`GET ${TOOLS}?limit=0`)).status, 400);
});
