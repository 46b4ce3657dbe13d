import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import type { Engine } from "@weft/engine/port/engine.ts";
import { endedRun } from "@weft/engine/testing/drive-runs.ts";
import { openTestEngine } from "@weft/engine/testing/open-test-engine.ts";
import { ScriptedExecutor, type Program } from "@weft/engine/testing/scripted-executor.ts";
import { startTestServer, wesForm } from "./test-server.ts";

type Texts = Readonly<Record<string, string>>;

const TOOL = `cwlVersion: v1.0
class: CommandLineTool
baseCommand: sh
inputs:
  script: { type: File, default: { class: File, location: ../lib/greet.sh }, inputBinding: { position: 1 } }
  text: { type: File, inputBinding: { position: 2 } }
stdout: greeting.txt
outputs: { greeting: stdout }
`;
const NETWORK = `cwlVersion: v1.0
class: Workflow
inputs: { text: File }
outputs: { greeting: { type: File, outputSource: greet/greeting } }
steps:
  greet: { run: ../tools/greet.cwl, in: { text: text }, out: [greeting] }
`;
const SCRIPT = 'echo "hello $(cat "$1")"\n';
const PACKED = `cwlVersion: v1.0
$graph:
- class: CommandLineTool
  id: "#greet.cwl"
  baseCommand: [sed, "s/^/hello /"]
  stdout: greeting.txt
  inputs: [{ id: "#greet.cwl/text", type: File, inputBinding: { position: 1 } }]
  outputs: [{ id: "#greet.cwl/greeting", type: stdout }]
- class: Workflow
  id: "#main"
  inputs: [{ id: "#main/text", type: File }]
  outputs: [{ id: "#main/greeting", type: File, outputSource: "#main/greet/greeting" }]
  steps:
  - id: "#main/greet"
    run: "#greet.cwl"
    in: [{ id: "#main/greet/text", source: "#main/text" }]
    out: ["#main/greet/greeting"]
`;
const PARAMS = JSON.stringify({ text: { class: "File", location: "name.txt" } });
const VERSION = "/api/ga4gh/trs/v2/tools/%23workflow%2Fgithub.com%2Flab%2Fgreet/versions/1.0/";
const COMMON = { workflow_type: "CWL", workflow_type_version: "v1.0", workflow_params: PARAMS };

/** The other files of the network, relative to the folder in which clients work. */
const FILES = { "tools/greet.cwl": TOOL, "lib/greet.sh": SCRIPT, "name.txt": "Ann\n" };

/** Requests of clients that include a document; `REGISTRY` is the address of another registry. */
const SHAPES: readonly (readonly [client: string, fields: Texts, files: Texts])[] = [
  [
    "wes-client with attachments: names relative to the document's folder",
    { workflow_url: "main.cwl", workflow_params: PARAMS.replace("name.txt", "../name.txt") },
    { "main.cwl": NETWORK, ...Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`../${name}`, text])) },
  ],
  [
    "sapporo with attachments: names with folders",
    { workflow_url: "./flow/main.cwl", workflow_engine: "cwltool" },
    { "flow/main.cwl": NETWORK, ...FILES },
  ],
  [
    "Toil with attachments: a packed document, named by its path on the client's machine",
    {
      workflow_url: "file:///home/ann/study/packed.cwl#main",
      workflow_params: PARAMS.replace("name.txt", "file:///home/ann/study/name.txt"),
      workflow_engine_parameters: '{"--logLevel": "INFO"}',
    },
    { "packed.cwl": PACKED, "name.txt": "Ann\n" },
  ],
  [
    "Dockstore with a TRS URL of another registry, and an attachment",
    { workflow_url: `REGISTRY${VERSION}PLAIN_CWL/descriptor/%2Fflow%2Fmain.cwl` },
    { "name.txt": "Ann\n" },
  ],
];

function init([, fields, files]: (typeof SHAPES)[number]): RequestInit {
  const { workflow_url = "", ...others } = fields;
  return wesForm({ ...COMMON, ...others, workflow_url: workflow_url.replace("REGISTRY", registry) }, files);
}

const root = temporaryFolder();
let engine: Engine;
let registry = "";

/** Answers like a registry of GA4GH TRS whose paths begin at the root of a repository. */
const trs = createServer((request, response) => {
  const files = { "/flow/main.cwl": NETWORK, "/tools/greet.cwl": TOOL, "/lib/greet.sh": SCRIPT };
  const rest = request.url?.startsWith(VERSION) === true ? request.url.slice(VERSION.length) : "";
  if (rest === "CWL/files") {
    const listed = Object.keys(files).map((path, at) => ({
      path,
      file_type: at === 0 ? "PRIMARY_DESCRIPTOR" : path.endsWith(".cwl") ? "SECONDARY_DESCRIPTOR" : "OTHER",
    }));
    return response.end(JSON.stringify(listed));
  }
  const path = decodeURIComponent(rest.replace("PLAIN_CWL/descriptor/", ""));
  const text = new Map(Object.entries(files)).get(path);
  response.statusCode = text === undefined ? 404 : 200;
  response.end(text);
});

before(async () => {
  await new Promise<void>((resolve) => trs.listen(0, "127.0.0.1", resolve));
  // The server listens on a port.
  registry = `http://127.0.0.1:${(trs.address() as AddressInfo).port}`;
  writeFiles(root, { "catalog/README": "no tool, no network" });
  const greet: Program = ({ args: [how = "", text = ""], read, print }) => {
    if (!how.startsWith("s/") && read(how) !== SCRIPT) return 2;
    print(`hello ${read(text)}`);
    return 0;
  };
  const executor = new ScriptedExecutor({ sh: greet, sed: greet });
  engine = await openTestEngine(root, { executor, container: "none", wesDocuments: { hosts: ["127.0.0.1"] } });
});

after(async () => {
  trs.close();
  await engine.stop("cancel");
});

for (const shape of SHAPES)
  test(`WES runs the document of ${shape[0]}`, async (t) => {
    const server = await startTestServer(t, { engine, wesDocuments: "admin" });
    const answer = await server.call("POST /ga4gh/wes/v1/runs", init(shape));
    assert.equal(answer.status, 200, answer.text);
    const runId: string = JSON.parse(answer.text).run_id;
    const { state, state_reason: reason } = await endedRun(engine, runId);
    assert.equal(state, "COMPLETE", reason?.message ?? "");
    assert.equal((await server.call(`GET /api/runs/${runId}/files/outputs/greeting.txt`)).text, "hello Ann\n");
  });

test("WES refuses a TRS URL whose host is not allowed", async (t) => {
  const folder = join(root, "strict");
  await mkdir(join(folder, "catalog"), { recursive: true });
  const executor = new ScriptedExecutor();
  const strict = await openTestEngine(folder, { executor, wesDocuments: { hosts: ["dockstore.org"] } });
  t.after(() => strict.stop("cancel"));
  const server = await startTestServer(t, { engine: strict, wesDocuments: "admin" });
  const answer = await server.call("POST /ga4gh/wes/v1/runs", init(SHAPES.at(-1) ?? assert.fail()));
  assert.equal(answer.status, 400);
  assert.match(answer.text, /may not come from 127\.0\.0\.1/);
});
