import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { createLinks } from "@weft/shared/links.ts";
import type { Caller } from "../port/caller.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { readZip } from "../archive/testing/unpack-zip.ts";
import { runToEnd } from "../testing/drive-runs.ts";
import { openTestEngine } from "../testing/open-test-engine.ts";
import { askArchive } from "../testing/ask-engine.ts";

/** Every word of these is planted somewhere, and must be in no bundle. */
const SECRETS = [
  "Quillfeather",
  "sub-7781",
  "1947-03-02",
  "zanzibar",
  "hunter2xyz",
  "4711",
  "Bramblewick",
  "Ottoline",
  "oriental shorthair",
  "vermilion",
  "tagged-kestrel",
  "mossgrove",
];

const HEAD = `cwlVersion: v1.2
class: CommandLineTool
requirements:
  InlineJavascriptRequirement: {}
  EnvVarRequirement: { envDef: { TOKEN: hunter2xyz, WHO: $(inputs.who) } }
hints: { DockerRequirement: { dockerPull: "registry.mossgrove.example:5000/team/image:1" } }
inputs:
  scan: { type: File, secondaryFiles: ["^.json?"] }
  who: { type: string, inputBinding: { prefix: --who=, separate: false } }
  age: { type: int, inputBinding: { prefix: --age } }
  notes: { type: "string[]", inputBinding: { itemSeparator: "," } }
  record: { type: { type: record, fields: { cat: string } } }
  extra: { type: string, default: vermilion }
  more: File
`;
const TOOLS: Readonly<Record<string, string>> = {
  exit: `${HEAD}baseCommand: [sh, -c]
arguments:
  - 'cat "$1" >&2; echo "$TOKEN $WHO $*"; exit 3'
  - $(inputs.scan.path)
  - $(inputs.who.toUpperCase())
  - $(inputs.scan.nameroot)_out
  - /srv/zanzibar/reference.fa
outputs: {}
`,
  missing: `${HEAD}baseCommand: "true"
outputs: { result: { type: File, outputBinding: { glob: "$(inputs.who) $(inputs.scan.nameroot).nii" } } }
`,
  throws: `${HEAD}baseCommand: "true"
outputs: { result: { type: int, outputBinding: { outputEval: '\${ throw "bad value " + inputs.who.toLowerCase() + " of " + inputs.age + " in " + inputs.scan.path; }' } } }
`,
  folder: `${HEAD}baseCommand: [mkdir, -p]
arguments: [$(inputs.who)]
outputs: { result: { type: File, outputBinding: { glob: $(inputs.who) } } }
`,
  good: `${HEAD}baseCommand: [sh, -c, 'touch "$0"']
arguments: [$(inputs.scan.nameroot).txt]
outputs: { result: { type: File, outputBinding: { glob: "*.txt" } } }
`,
};

const root = temporaryFolder();
for (const [name, text] of Object.entries(TOOLS)) {
  writeFiles(root, { [`catalog/tools/${name}/1.0.0/${name}.cwl`]: text });
}
const data = join(root, "zanzibar");
await mkdir(data);
const SCAN = "Quillfeather sub-7781.1947-03-02.nii.gz";
await writeFile(join(data, SCAN), "the content: Ottoline\n");
await writeFile(join(data, SCAN.replace(".gz", ".json")), "{}");

const engine = await openTestEngine(root, {
  version: "1.2.3",
  dataFolders: { zanzibar: data },
  jobs: 1,
  container: "none",
});
after(() => engine.stop("cancel"));
const caller: Caller = {
  principal: "Bramblewick",
  links: createLinks("http://weft.mossgrove.example"),
  othersRuns: "changeable",
};

const inputs = {
  scan: { class: "File", location: pathToUri(join(data, SCAN)) },
  who: "Quillfeather",
  age: 4711,
  notes: ["oriental shorthair", "Ottoline"],
  record: { cat: "Bramblewick" },
  more: { class: "File", basename: "Ottoline.txt", contents: "zanzibar\n" },
};

async function bundleOf(tool: string): Promise<{ zip: Buffer; texts: ReadonlyMap<string, string>; run: Run }> {
  const body = { tool, name: "study of Quillfeather", tags: { bird: "tagged-kestrel" }, inputs };
  const run = await runToEnd(engine, body, caller);
  const params = { run_id: run.run_id, job_id: "main" };
  const zip = await buffer(
    (await askArchive(engine, "GET /api/runs/{run_id}/jobs/{job_id}/bundle", { caller, params })).open(),
  );
  return { zip, run, texts: new Map(readZip(zip).map(({ name, content }) => [name, content.toString()])) };
}

for (const tool of Object.keys(TOOLS))
  test(`the bundle of a job of the tool ${tool} contains no private data`, async () => {
    const { zip, texts, run } = await bundleOf(tool);
    assert.equal(run.state === "COMPLETE", tool === "good", run.state_reason?.message ?? "");
    const all = zip.toString().toLowerCase();
    for (const secret of [...SECRETS, root, run.run_id, "weft-safe"])
      assert.ok(
        !all.includes(secret.toLowerCase()),
        `${secret} in ${[...texts].find(([, text]) => text.toLowerCase().includes(secret.toLowerCase()))?.join(": ")}`,
      );
    const host = hostname();
    if (host.length > 4) assert.ok(!all.includes(host.toLowerCase()), "the name of the machine");
  });

test("helpful facts remain: code, exit code, command template, versions, kinds and sizes", async () => {
  const { texts } = await bundleOf("exit");
  const job = JSON.parse(texts.get("job.json") ?? "") as Record<string, unknown>;
  assert.equal(job["exit_code"], 3);
  assert.deepEqual((job["state_reason"] as { code: string; message: string }).code, "TOOL_EXIT");
  assert.match((job["state_reason"] as { message: string }).message, /exit code 3/);
  assert.deepEqual(job["inputs"], {
    scan: {
      class: "File",
      basename: "file-1.nii.gz",
      size: 22,
      secondaryFiles: [{ class: "File", basename: "file-2.nii.json", size: 2 }],
    },
    who: "<input:who: string>",
    age: "<input:age: number>",
    notes: ["<input:notes: string>", "<input:notes: string>"],
    record: { cat: "<input:record.cat: string>" },
    extra: "<input:extra: string>",
    more: { class: "File", basename: "file-3.txt", size: 9 },
  });
  assert.match(
    texts.get("command.txt") ?? "",
    /^sh -c 'cat "\$1" >&2; [^\n]*' <path>\/file-1\.nii\.gz <value> <value> <path> /,
  );
  assert.match(texts.get("command.txt") ?? "", /--age <input:age> <value> --who=<input:who>/);
  assert.match(texts.get("environment.txt") ?? "", /^weft=1\.2\.3$/m);
  assert.match(texts.get("environment.txt") ?? "", /^TOKEN=<env:TOKEN>$/m);
  const tool = JSON.parse(texts.get("tool.cwl") ?? "") as { baseCommand: string[] };
  assert.deepEqual(tool.baseCommand, ["sh", "-c"]);
  assert.match(texts.get("tool.cwl") ?? "", /<registry>\/team\/image:1/);
  assert.deepEqual([...texts.keys()], ["README.txt", "job.json", "tool.cwl", "command.txt", "environment.txt"]);
});

test("the rest of a reason that contains data stays legible", async () => {
  const reasonOf = async (tool: string) =>
    (
      JSON.parse((await bundleOf(tool)).texts.get("job.json") ?? "") as {
        state_reason: { code: string; message: string };
      }
    ).state_reason;
  const missing = await reasonOf("missing");
  assert.equal(missing.code, "MISSING_OUTPUT");
  assert.match(missing.message, /`result`/);
  const thrown = await reasonOf("throws");
  assert.match(thrown.message, /bad value <input:who> of <input:age> in <path>/);
});
