import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { LOCAL_BACKEND } from "../src/executor/backends/backend-settings.ts";
import type { BackendSettings } from "../src/executor/backends/backend-settings.ts";
import { LocalTesServer } from "../src/executor/tes/testing/local-tes-server.ts";
import { diskReader } from "../src/files/disk-reader.ts";
import { runDocument } from "../src/document/run-document.ts";

const root = await mkdtemp(join(tmpdir(), "weft-tes-network-"));
after(() => rm(root, { recursive: true }));

/** Files, a folder with a folder in it, texts and links in the work folder, streams, a folder as output, and a code that means success. */
const NETWORK = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, InlineJavascriptRequirement: {} }
inputs: { texts: "File[]", folder: Directory }
outputs:
  louds: { type: "File[]", outputSource: shout/loud }
  listing: { type: File, outputSource: list/listing }
  made: { type: Directory, outputSource: make/made }
  said: { type: File, outputSource: make/said }
steps:
  shout:
    scatter: text
    in: { text: texts }
    out: [loud]
    run:
      class: CommandLineTool
      hints: { DockerRequirement: { dockerPull: "debian:stable-slim" } }
      baseCommand: [tr, a-z, A-Z]
      stdin: $(inputs.text.path)
      inputs: { text: File }
      outputs: { loud: stdout }
      stdout: $(inputs.text.nameroot) loud.txt
  list:
    in: { folder: folder }
    out: [listing]
    run:
      class: CommandLineTool
      baseCommand: [sh, -c, 'cd "$0" && find . | sort && cat deep/*']
      inputs: { folder: { type: Directory, inputBinding: {} } }
      outputs: { listing: stdout }
      stdout: listing.txt
  make:
    in: { louds: shout/loud }
    out: [made, said]
    run:
      class: CommandLineTool
      requirements:
        InitialWorkDirRequirement:
          listing:
            - { entryname: script.sh, entry: 'mkdir -p made/sub && cat first.txt "$1" > made/sub/all && echo said >&2 && exit 3' }
            - { entryname: first.txt, entry: "$(inputs.louds[0])" }
        EnvVarRequirement: { envDef: { KIND: test } }
      successCodes: [0, 3]
      baseCommand: [sh, script.sh]
      inputs: { louds: "File[]" }
      arguments: ["$(inputs.louds[1].path)"]
      outputs:
        made: { type: Directory, outputBinding: { glob: made } }
        said: stderr
      stderr: said.txt
`;
await writeFile(join(root, "network.cwl"), NETWORK);
await writeFile(join(root, "one.txt"), "one\n");
await writeFile(join(root, "two two.txt"), "two\n");
await mkdir(join(root, "folder", "deep"), { recursive: true });
await mkdir(join(root, "folder", "empty"));
await writeFile(join(root, "folder", "deep", "a"), "a\n");

const address = (name: string) => pathToFileURL(join(root, name)).href;
const INPUTS: CwlObject = {
  texts: ["one.txt", "two two.txt"].map((name) => ({ class: "File", location: address(name) })),
  folder: { class: "Directory", location: address("folder") },
};

async function run(backend: BackendSettings, document = "network.cwl", inputs = INPUTS) {
  const loaded = await loadDocument(address(document), { reader: diskReader });
  assert.ok(loaded.process !== undefined, JSON.stringify(loaded.diagnostics));
  const result = await runDocument({
    process: loaded.process,
    formats: formatKnowledge(loaded),
    ...{ inputs, overrides: [], version: "test", jobs: 2, container: "none" },
    outdir: await mkdtemp(join(root, "out-")),
    scratch: await mkdtemp(join(root, "scratch-")),
    backend,
    log: () => {},
    onEvents: () => {},
    signal: new AbortController().signal,
  });
  assert.ok(result.kind === "ended", JSON.stringify(result));
  return result;
}

const atTes = (url: string, more: Partial<BackendSettings["tes"]> = {}): BackendSettings => ({
  ...LOCAL_BACKEND,
  policy: { standard: "tes", rules: [], defaultImage: more.defaultImage },
  tes: { ...LOCAL_BACKEND.tes, url, pollMs: 20, ...more },
});

/** Names, sizes and checksums, but not locations. */
function contentOf(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) => (key === "location" || key === "path" ? undefined : item)),
  );
}

describe("a network at a TES server", () => {
  it("produces the same outputs as on this machine, with requests that conform to TES", async (t) => {
    const server = await LocalTesServer.open();
    t.after(() => server.close());
    const here = await run(LOCAL_BACKEND);
    const there = await run(atTes(server.url, { defaultImage: "debian:12" }));
    assert.equal(there.state, "COMPLETE", there.reason?.message ?? "");
    assert.deepEqual(contentOf(there.outputs), contentOf(here.outputs));
    assert.deepEqual(server.violations, []);
    assert.equal(server.posted.length, 4);
    assert.deepEqual(server.posted.map(({ executors }) => executors[0]?.image ?? "").toSorted(), [
      "debian:12",
      "debian:12",
      "debian:stable-slim",
      "debian:stable-slim",
    ]);
  });

  it("gives the same outputs if the server has all known deviations", async (t) => {
    const server = await LocalTesServer.open();
    t.after(() => server.close());
    const deviations = {
      createdStatus: 201,
      hasSlashesInIds: true,
      ignoresFilters: true,
      dropsTags: true,
      pageSize: 1,
    };
    Object.assign(server.deviations, deviations);
    server.failNext = 2;
    server.loseNext = 2;
    const there = await run(atTes(server.url, { defaultImage: "debian:12" }));
    assert.equal(there.state, "COMPLETE", there.reason?.message ?? "");
    assert.deepEqual(contentOf(there.outputs), contentOf((await run(LOCAL_BACKEND)).outputs));
    assert.deepEqual(server.violations, []);
    assert.equal(new Set(server.posted.map(({ name }) => name)).size, 4);
    assert.equal(server.posted.length, 4, "a task whose answer was lost is not posted again");
  });

  it("fails with a clear message if neither the tool nor the site names an image", async (t) => {
    const server = await LocalTesServer.open();
    t.after(() => server.close());
    const { state, reason } = await run(atTes(server.url));
    assert.equal(state, "SYSTEM_ERROR");
    assert.match(reason?.message ?? "", /the tool names no container image, but every job at a TES server needs one/);
  });
});
