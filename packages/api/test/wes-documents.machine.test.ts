import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import type { Engine } from "@weft/engine/port/engine.ts";
import { endedRun } from "@weft/engine/testing/drive-runs.ts";
import { openTestEngine } from "@weft/engine/testing/open-test-engine.ts";
import type { Role } from "@weft/shared/records/role.ts";
import type { WesDocument, WesDocumentRole } from "@weft/shared/records/wes-document-record.ts";
import { addToken } from "../src/auth/tokens/token-folder.ts";
import { json, problemOf, startTestServer, wesForm, type TestServer } from "./test-server.ts";

const PEOPLE = { rob: "runner", arne: "author", ada: "admin" } as const satisfies Record<string, Role>;
type Person = keyof typeof PEOPLE;

const RUNS = "/ga4gh/wes/v1/runs";
const DOCUMENTS = "/api/wes-documents";

const MAIN = `cwlVersion: v1.2
class: Workflow
inputs: { text: File }
outputs: { greeting: { type: File, outputSource: greet/greeting } }
steps:
  greet: { run: tools/greet.cwl, in: { text: text }, out: [greeting] }
`;
const GREET = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: sh
inputs:
  script:
    type: File
    default: { class: File, location: ../lib/greet.sh }
    inputBinding: { position: 1 }
  text: { type: File, inputBinding: { position: 2 } }
stdout: greeting.txt
outputs: { greeting: stdout }
`;
/** A network with its tool and a script, and an input file. */
const FILES = {
  "main.cwl": MAIN,
  "tools/greet.cwl": GREET,
  "lib/greet.sh": 'echo "hello $(cat "$1")"',
  "name.txt": "Ann",
};
const REQUEST = { workflow_url: "main.cwl", workflow_params: '{"text":{"class":"File","location":"name.txt"}}' };
const SIMPLE = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [echo, hi]\ninputs: {}\noutputs: {}\n";

const root = await mkdtemp(join(tmpdir(), "weft-wes-documents-"));
const tokenFolder = join(root, "tokens");
const secrets: Partial<Record<Person, string>> = {};
const LIMITS = { maxUploadBytes: 100_000_000, wesDocuments: { hosts: [] } };
const OPTIONS = { container: "none", jobSandbox: "auto", ...LIMITS } as const;
let engine: Engine;

before(async () => {
  await mkdir(join(root, "catalog"));
  engine = await openTestEngine(root, OPTIONS);
  for (const [name, role] of Object.entries(PEOPLE))
    // The names are those of the table.
    secrets[name as Person] = (await addToken(tokenFolder, { name, role, expires_at: null }))?.text ?? "";
});

after(async () => {
  await engine.stop("cancel");
  await rm(root, { recursive: true });
});

type Texts = Readonly<Record<string, string>>;

interface Server {
  readonly own: TestServer;
  call(person: Person, request: string, init?: RequestInit): ReturnType<TestServer["call"]>;
  /** The id of the run, or the status of the refusal. */
  start(person: Person, fields: Texts, files?: Texts): Promise<string>;
  documents(person: Person): Promise<readonly WesDocument[]>;
  /** The document of a name, if a person can see it. */
  documentOf(name: string, person?: Person): Promise<WesDocument | undefined>;
}

async function serve(t: TestContext, wesDocuments: WesDocumentRole, more: object = {}): Promise<Server> {
  const auth = { mode: "token", token: "s".repeat(43), namedTokens: tokenFolder } as const;
  const own = await startTestServer(t, { engine, auth, wesDocuments, ...more });
  const call: Server["call"] = (person, request, init = {}) =>
    own.call(request, { ...init, headers: { ...init.headers, authorization: `Bearer ${secrets[person]}` } });
  const documents = async (person: Person): Promise<readonly WesDocument[]> =>
    JSON.parse((await call(person, `GET ${DOCUMENTS}`)).text).documents;
  return {
    own,
    call,
    start: async (person, fields, files) => {
      const { status, text } = await call(person, `POST ${RUNS}`, wesForm(fields, files));
      const body: { readonly run_id?: string; readonly msg?: string } = JSON.parse(text);
      return body.run_id ?? `${status} ${body.msg ?? ""}`;
    },
    documents,
    documentOf: async (name, person = "ada") => (await documents(person)).find((document) => document.name === name),
  };
}

/** A document that no other test has sent. */
const unique = (name: string) => `${SIMPLE}label: ${name}\n`;

describe("a document that arrives through WES", () => {
  it("runs with its imports, scripts and inputs, and is listed under its digest", async (t) => {
    const server = await serve(t, "admin");
    const runId = await server.start("ada", REQUEST, FILES);
    const { state, network, state_reason } = await endedRun(engine, runId);
    assert.equal(state, "COMPLETE", state_reason?.message ?? "");
    const outputs = await server.call("ada", `GET /api/runs/${runId}/files/outputs/greeting.txt`);
    assert.equal(outputs.text, "hello Ann\n");
    const [document] = await server.documents("ada");
    assert.ok(document !== undefined);
    assert.deepEqual(
      [document.name, document.kind, document.files, document.added_by, document.approved_by, document.runs],
      ["main", "network", 3, "ada", null, 1],
    );
    const shown = [network?.id, network?.url, network?.label];
    assert.deepEqual(shown, [document.digest, `http://weft.test${DOCUMENTS}/${document.digest}`, "main"]);
    const { source_files: sources } = JSON.parse(
      (await server.call("ada", `GET ${URL.parse(document.url)?.pathname ?? ""}`)).text,
    );
    const found = sources.map(({ file, text }: { file: string; text: string }) => [file, text]);
    assert.deepEqual(found, Object.entries(FILES).slice(0, 3));
  });

  it("is stored once, and again when one byte of it differs", async (t) => {
    const server = await serve(t, "admin");
    const count = async () => (await server.documents("ada")).length;
    await server.start("ada", REQUEST, FILES);
    const before = await count();
    // Inputs are not part of the document, wherever the client keeps them.
    await server.start("ada", REQUEST, { ...FILES, "name.txt": "Bob", "../other.txt": "x" });
    assert.equal(await count(), before);
    await server.start("ada", REQUEST, { ...FILES, "lib/greet.sh": 'echo "hello $(cat "$1")"\n' });
    assert.equal(await count(), before + 1);
  });

  it("is stored once, if it arrives twice at the same time", async (t) => {
    const server = await serve(t, "admin");
    const files = { "main.cwl": unique("twice") };
    const started = await Promise.all(
      Array.from({ length: 4 }, () => server.start("ada", { workflow_url: "main.cwl" }, files)),
    );
    for (const runId of started) assert.match(runId, /^[0-9a-f-]{36}$/);
    const named = (await server.documents("ada")).filter(({ name }) => name === "twice");
    assert.equal(named.length, 1);
    const drafts = (await readdir(join(root, "state/wes-documents"))).filter((name) => name.startsWith("."));
    assert.deepEqual(drafts, []);
  });

  it("runs a part of a $graph", async (t) => {
    const server = await serve(t, "admin");
    const [a, b] = ["a", "b"].map((id) => ({
      ...{ class: "CommandLineTool", id, baseCommand: ["echo", id], inputs: [], stdout: "printed" },
      outputs: [{ id: "printed", type: "stdout" }],
    }));
    const text = JSON.stringify({ cwlVersion: "v1.2", $graph: [a, b] });
    const runId = await server.start("ada", { workflow_url: "all.cwl#b" }, { "all.cwl": text });
    await endedRun(engine, runId);
    assert.equal((await server.call("ada", `GET /api/runs/${runId}/files/outputs/printed`)).text, "b\n");
  });

  it("runs in another run by its address or digest, and a reproduction reads the stored files", async (t) => {
    const server = await serve(t, "admin");
    await server.start("ada", REQUEST, FILES);
    const document = (await server.documents("ada")).find(({ name, runs }) => name === "main" && runs > 0);
    const input = { "name.txt": "Cleo" };
    for (const workflow_url of [
      document?.digest ?? "",
      `${server.own.address}${DOCUMENTS}/${document?.digest ?? ""}`,
    ]) {
      const runId = await server.start("ada", { ...REQUEST, workflow_url }, input);
      assert.equal((await endedRun(engine, runId)).state, "COMPLETE");
    }
    const runId = await server.start("ada", REQUEST, FILES);
    await endedRun(engine, runId);
    const again = await server.call("ada", `POST /api/runs/${runId}/reproduce`, json({}));
    assert.equal((await endedRun(engine, JSON.parse(again.text).run_id)).state, "COMPLETE");
  });
});

describe("a document from outside", () => {
  it("is refused to everyone unless the server allows it", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "weft-wes-off-"));
    await mkdir(join(folder, "catalog"));
    const off = await openTestEngine(folder);
    t.after(async () => {
      await off.stop("cancel");
      await rm(folder, { recursive: true });
    });
    const server = await startTestServer(t, { engine: off });
    for (const url of ["main.cwl", `sha256:${"0".repeat(64)}`, "https://example.org/a.cwl", "trs://example.org/a/1"]) {
      const answer = await server.call(`POST ${RUNS}`, wesForm({ workflow_url: url }, { "main.cwl": SIMPLE }));
      assert.ok([400, 403].includes(answer.status), `${url} ${answer.text}`);
    }
    assert.deepEqual(await readdir(join(folder, "state/wes-documents")), []);
  });

  for (const [mode, mayAuthorAdd] of [
    ["admin", false],
    ["author", true],
  ] as const)
    it(`with --wes-documents ${mode} lets ${mayAuthorAdd ? "authors and admins" : "only admins"} add documents; runners run what an admin approved`, async (t) => {
      const server = await serve(t, mode);
      const files = { "main.cwl": unique(`for ${mode}`) };
      const url = { workflow_url: "main.cwl" };
      const refused = /^403 .*Nobody has approved the document sha256:/;
      assert.match(await server.start("rob", url, files), refused);
      assert.equal(await server.documentOf(`for ${mode}`), undefined);
      const byAuthor = await server.start("arne", url, files);
      if (!mayAuthorAdd) assert.match(byAuthor, refused);
      const runId = await server.start("ada", url, files);
      const document = await server.documentOf(`for ${mode}`);
      assert.ok(document !== undefined);
      assert.equal(document.added_by, mayAuthorAdd ? "arne" : "ada");
      const path = `${DOCUMENTS}/${document.digest}`;
      // Neither a retry nor a reproduction gets around the approval.
      await endedRun(engine, runId);
      for (const action of ["retry", "retry-plan", "reproduce"])
        assert.equal((await server.call("rob", `POST /api/runs/${runId}/${action}`, json({}))).status, 403, action);
      assert.match(await server.start("rob", { workflow_url: document.digest }), refused);
      for (const person of ["rob", "arne"] as const)
        assert.equal((await server.call(person, `POST ${path}/approve`)).status, 403);
      const approved = JSON.parse((await server.call("ada", `POST ${path}/approve`)).text);
      assert.equal(approved.approved_by, "ada");
      assert.match(await server.start("rob", url, files), /^[0-9a-f-]{36}$/);
      assert.match(await server.start("rob", { workflow_url: document.digest }), /^[0-9a-f-]{36}$/);
      assert.equal((await server.call("rob", `POST /api/runs/${runId}/retry`, json({}))).status, 201);
      // The approval covers these bytes alone.
      assert.match(await server.start("rob", url, { "main.cwl": `${files["main.cwl"]}# changed\n` }), refused);
      await server.call("ada", `POST ${path}/withdraw`);
      assert.match(await server.start("rob", url, files), refused);
    });

  it("is in the audit log, with the accounts that added, approved and withdrew it", async (t) => {
    const server = await serve(t, "author");
    await server.start("arne", { workflow_url: "main.cwl" }, { "main.cwl": unique("audited") });
    const document = await server.documentOf("audited");
    const path = `${DOCUMENTS}/${document?.digest}`;
    for (const action of ["approve", "withdraw"]) await server.call("ada", `POST ${path}/${action}`);
    const { entries } = JSON.parse((await server.call("ada", "GET /api/audit")).text);
    const about = entries
      .filter((entry: { path: string; target: string | null }) => `${entry.path} ${entry.target}`.includes(path))
      .map(({ principal, action }: { principal: string; action: string }) => `${principal} ${action}`);
    assert.deepEqual(about, ["ada withdrawWesDocument", "ada approveWesDocument", "arne addWesDocument"]);
  });

  it("survives a restart, and a document whose files were changed does not run", async (t) => {
    const server = await serve(t, "admin");
    const files = { "main.cwl": unique("kept") };
    await server.start("ada", { workflow_url: "main.cwl" }, files);
    const document = await server.documentOf("kept");
    await server.call("ada", `POST ${DOCUMENTS}/${document?.digest}/approve`);
    await engine.stop("cancel");
    const folder = join(root, "state/wes-documents", document?.digest.slice(7) ?? "");
    const stored = await readFile(join(folder, "files/main.cwl"));
    await writeFile(join(folder, "files/main.cwl"), `${String(stored)}# changed\n`);
    engine = await openTestEngine(root, OPTIONS);
    const later = await serve(t, "admin");
    assert.equal((await later.documentOf("kept", "rob"))?.approved_by, "ada");
    assert.match(await later.start("rob", { workflow_url: document?.digest ?? "" }), /^400 .*are damaged/);
    await writeFile(join(folder, "files/main.cwl"), stored);
    assert.match(await later.start("rob", { workflow_url: document?.digest ?? "" }), /^[0-9a-f-]{36}$/);
  });

  it("does not show another user's document before it is approved, with --private-runs", async (t) => {
    const server = await serve(t, "author", { privateRuns: true });
    await server.start("arne", { workflow_url: "main.cwl" }, { "main.cwl": unique("private") });
    const seen = (person: Person) => server.documentOf("private", person);
    const document = await seen("arne");
    assert.ok(document !== undefined && (await seen("ada")) !== undefined);
    assert.equal(await seen("rob"), undefined);
    const path = `${DOCUMENTS}/${document.digest}`;
    const none = `${DOCUMENTS}/sha256:${"0".repeat(64)}`;
    const [hidden, missing] = [await server.call("rob", `GET ${path}`), await server.call("rob", `GET ${none}`)];
    assert.deepEqual([hidden.status, problemOf(hidden).code], [404, problemOf(missing).code]);
    await server.call("ada", `POST ${path}/approve`);
    assert.ok((await seen("rob")) !== undefined);
  });
});

describe("a hostile document", () => {
  const nine = (of: string) => Array.from({ length: 9 }, () => of).join(",");
  const bomb = Array.from({ length: 12 }, (_, at) => `b${at}: &b${at} [${nine(at === 0 ? "x" : `*b${at - 1}`)}]`);
  const step = (run: string) => MAIN.replace("tools/greet.cwl", run);
  const CASES: readonly (readonly [what: string, url: string, files: Texts, message: RegExp])[] = [
    ["imports /etc/passwd", "main.cwl", { "main.cwl": step("/etc/passwd") }, /passwd/],
    ["imports a file URL", "main.cwl", { "main.cwl": step("file:///etc/passwd") }, /passwd/],
    ["imports a path above its folder", "main.cwl", { "main.cwl": step("../../../../../../etc/passwd") }, /passwd/],
    ["imports the audit log", "main.cwl", { "main.cwl": step(`${root}/state/weft.db`) }, /weft\.db/],
    ["imports a URL", "main.cwl", { "main.cwl": step("http://127.0.0.1:1/a.cwl") }, /127\.0\.0\.1/],
    ["is a path of the server", "/etc/passwd", {}, /Give the ID/],
    ["is a file URL", "file:///etc/passwd", {}, /Give the ID/],
    ["is on a host that is not allowed", "https://example.org/a.cwl", {}, /may not come from example\.org/],
    ["is in a registry that is not allowed", "trs://example.org/a/1", {}, /may not come from example\.org/],
    ["is an alias bomb", "main.cwl", { "main.cwl": `${bomb.join("\n")}\n${SIMPLE}` }, /alias|larger|nodes/i],
    ["is nested deeply", "main.cwl", { "main.cwl": "[".repeat(100_000) }, /./],
    ["is huge", "main.cwl", { "main.cwl": SIMPLE + "# x\n".repeat(2_000_000) }, /too large/],
    ["is two attachments", "main.cwl", { "main.cwl": SIMPLE, "./main.cwl": SIMPLE }, /Two attachments are called/],
    ["is a file and a folder", "main.cwl", { "main.cwl": step("main.cwl/a.cwl"), "main.cwl/a.cwl": GREET }, /./],
    ["is not a document", "main.cwl", { "main.cwl": "\0\u0001" }, /./],
    ["is empty", "main.cwl", { "main.cwl": "" }, /./],
  ];
  for (const [what, url, files, message] of CASES)
    it(`refuses one that ${what}, and stores none of its files`, async (t) => {
      const server = await serve(t, "admin");
      const before = await readdir(join(root, "state/wes-documents"));
      const answer = await server.start("ada", { workflow_url: url }, files);
      assert.match(answer, /^400 /);
      assert.match(answer, message);
      assert.deepEqual(await readdir(join(root, "state/wes-documents")), before);
    });

  it("with path-shaped names is stored within its folder", async (t) => {
    const server = await serve(t, "admin");
    const main = unique("climbing");
    const path = "../../../../tmp/weft.cwl";
    const runId = await server.start("ada", { workflow_url: path }, { [path]: main });
    assert.match(runId, /^[0-9a-f-]{36}$/);
    const document = await server.documentOf("climbing");
    assert.equal(document?.primary, "tmp/weft.cwl");
    const folder = join(root, "state/wes-documents", document?.digest.slice(7) ?? "");
    assert.equal(await readFile(join(folder, "files/tmp/weft.cwl"), "utf8"), main);
  });

  it("cannot make its jobs read the server's own files", async (t) => {
    const server = await serve(t, "admin");
    const spy = SIMPLE.replace(
      "[echo, hi]",
      `[sh, -c, "cat ${root}/state/access-token ${root}/state/weft.db | head -c 99"]`,
    );
    const text = spy.replace("outputs: {}", "stdout: seen\noutputs: { seen: stdout }");
    const started = await server.start("ada", { workflow_url: "spy.cwl" }, { "spy.cwl": text });
    const { run_id: runId, tool } = await endedRun(engine, started);
    assert.ok(tool?.id.startsWith("sha256:"));
    const { sandbox } = JSON.parse((await server.call("ada", `GET /api/runs/${runId}/jobs/main`)).text);
    if (sandbox.kind === "none") return t.skip(sandbox.why);
    assert.equal((await server.call("ada", `GET /api/runs/${runId}/files/outputs/seen`)).text, "");
  });
});
