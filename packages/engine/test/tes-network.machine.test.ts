import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { LOCAL_BACKEND, type BackendSettings } from "../src/executor/backends/backend-settings.ts";
import { LocalTesServer } from "../src/executor/tes/testing/local-tes-server.ts";
import { diskReader } from "../src/files/disk-reader.ts";
import { runDocument } from "../src/document/run-document.ts";

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
const root = temporaryFolder({
  ...{ "network.cwl": NETWORK, "one.txt": "one\n", "two two.txt": "two\n" },
  ...{ "folder/deep/a": "a\n", "folder/empty/": "" },
});
const address = (name: string) => pathToFileURL(join(root, name)).href;
const INPUTS: CwlObject = {
  texts: ["one.txt", "two two.txt"].map((name) => ({ class: "File", location: address(name) })),
  folder: { class: "Directory", location: address("folder") },
};

async function run(backend: BackendSettings) {
  const loaded = await loadDocument(address("network.cwl"), { reader: diskReader });
  assert.ok(loaded.process !== undefined, JSON.stringify(loaded.diagnostics));
  const result = await runDocument({
    process: loaded.process,
    formats: formatKnowledge(loaded),
    ...{ inputs: INPUTS, overrides: [], version: "test", jobs: 2, container: "none" },
    ...{ outdir: temporaryFolder(), scratch: temporaryFolder(), backend },
    ...{ log: () => {}, onEvents: () => {}, signal: new AbortController().signal },
  });
  assert.ok(result.kind === "ended", JSON.stringify(result));
  return result;
}

async function openServer(t: TestContext): Promise<LocalTesServer> {
  const server = await LocalTesServer.open();
  t.after(() => server.close());
  return server;
}

const atTes = (url: string, more: Partial<BackendSettings["tes"]> = {}): BackendSettings => ({
  ...LOCAL_BACKEND,
  policy: { standard: "tes", rules: [], defaultImage: more.defaultImage },
  tes: { ...LOCAL_BACKEND.tes, url, pollMs: 20, ...more },
});

/** Names, sizes and checksums, but not locations. */
const contentOf = (value: unknown) =>
  JSON.stringify(value, (key, item: unknown) => (key === "location" || key === "path" ? undefined : item));

describe("a network at a TES server", () => {
  it("produces the same outputs as on this machine, with requests that conform to TES", async (t) => {
    const server = await openServer(t);
    const here = await run(LOCAL_BACKEND);
    const there = await run(atTes(server.url, { defaultImage: "debian:12" }));
    assert.equal(there.state, "COMPLETE", there.reason?.message ?? "");
    assert.equal(contentOf(there.outputs), contentOf(here.outputs));
    assert.deepEqual(server.violations, []);
    assert.equal(server.posted.length, 4);
    const images = server.posted.map(({ executors }) => executors[0]?.image ?? "");
    assert.equal(images.toSorted().join(" "), "debian:12 debian:12 debian:stable-slim debian:stable-slim");
  });

  it("gives the same outputs if the server has all known deviations", async (t) => {
    const server = await openServer(t);
    const deviations = {
      createdStatus: 201,
      hasSlashesInIds: true,
      ignoresFilters: true,
      dropsTags: true,
      pageSize: 1,
    };
    Object.assign(server.deviations, deviations);
    Object.assign(server, { failNext: 2, loseNext: 2 });
    const there = await run(atTes(server.url, { defaultImage: "debian:12" }));
    assert.equal(there.state, "COMPLETE", there.reason?.message ?? "");
    assert.equal(contentOf(there.outputs), contentOf((await run(LOCAL_BACKEND)).outputs));
    assert.deepEqual(server.violations, []);
    assert.equal(new Set(server.posted.map(({ name }) => name)).size, 4);
    assert.equal(server.posted.length, 4, "a task whose answer was lost is not posted again");
  });

  it("fails with a clear message if neither the tool nor the site names an image", async (t) => {
    const server = await openServer(t);
    const { state, reason } = await run(atTes(server.url));
    assert.equal(state, "SYSTEM_ERROR");
    assert.match(reason?.message ?? "", /the tool names no container image, but every job at a TES server needs one/);
  });
});
