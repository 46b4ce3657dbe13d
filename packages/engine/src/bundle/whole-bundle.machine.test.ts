import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import { readZip, unpackZip } from "../archive/testing/unpack-zip.ts";
import { caller, runToEnd } from "../testing/drive-runs.ts";
import { openTestEngine } from "../testing/open-test-engine.ts";
import { askArchive } from "../testing/ask-engine.ts";

const TOOLS: Readonly<Record<string, string>> = {
  everything: `requirements:
  InlineJavascriptRequirement: {}
  EnvVarRequirement: { envDef: { GREETING: "it's \\"$HOME\\" \`x\`\\n*", WHERE: $(inputs.reads.path) } }
  InitialWorkDirRequirement:
    listing:
      - { entryname: "my notes.txt", entry: "100% of $(inputs.reads.basename)\\nno newline at the end, 'quoted' \\\\ $HOME" }
      - { entryname: changed.txt, entry: $(inputs.reads), writable: true }
      - { entryname: folder copy, entry: $(inputs.tree), writable: true }
      - $(inputs.reads.secondaryFiles[0])
baseCommand: [sh, -c]
arguments:
  - |
    code=$1; cat; cat "$2" "$3" "$4"; shift 4; for word in "$@"; do printf '<%s>' "$word"; done
    printf '%s' "$GREETING" >&2; cat "$WHERE"
    echo more >> changed.txt; cat "my notes.txt"; (cd "folder copy" && find . | sort && cat */* 2>/dev/null)
    ls; env | grep -v PWD | grep -v WEFT | cut -d= -f1 | sort; touch "$TMPDIR/t"; exit $code
  - x
  - $(inputs.code)
  - $(inputs.reads.path)
  - $(inputs.reads.secondaryFiles[0].path)
  - $(inputs.literal.path)
  - $(inputs.words)
  - "sp ace"
  - ""
  - "-n"
  - "new\\nline"
  - $(inputs.small.size)
stdin: $(inputs.small.path)
stdout: said to $(inputs.words[0]).txt
inputs:
  reads: { type: File, secondaryFiles: [.idx] }
  tree: Directory
  literal: File
  small: File
  words: "string[]"
  code: int
outputs: { said: stdout, changed: { type: File, outputBinding: { glob: changed.txt } } }
`,
  shell: `requirements: { ShellCommandRequirement: {} }
baseCommand: cat
arguments: [{ valueFrom: "| tr a-z A-Z > out.txt", shellQuote: false, position: 2 }]
inputs: { text: { type: File, inputBinding: { position: 1 } } }
outputs: { out: { type: File, outputBinding: { glob: out.txt } } }
`,
};
const COMPUTE = `cwlVersion: v1.2
class: ExpressionTool
requirements: { InlineJavascriptRequirement: {} }
inputs: { text: File }
outputs: { n: int }
expression: "$({n: 1})"
`;

const root = temporaryFolder();
const addTool = async (name: string, text: string) => {
  await mkdir(join(root, `catalog/tools/${name}/1.0.0`), { recursive: true });
  await writeFile(join(root, `catalog/tools/${name}/1.0.0/${name}.cwl`), text);
};
for (const [name, text] of Object.entries(TOOLS))
  await addTool(name, `cwlVersion: v1.2\nclass: CommandLineTool\n${text}`);
await addTool("compute", COMPUTE);

/** Names that shells and archives stumble over. */
const READS = "my 'reads' \"1\"\n$x.fq";
const data = join(root, "data");
await mkdir(join(data, "tree/su b/back\\slash"), { recursive: true });
await writeFile(join(data, READS), "reads\n");
await writeFile(join(data, `${READS}.idx`), "index\n");
await writeFile(join(data, "small.txt"), "from stdin\n");
await writeFile(join(data, "tree/su b/a\nb"), "deep\n");
await writeFile(join(data, "tree/su b/back\\slash/c"), "deeper\n");
await symlink("../../small.txt", join(data, "tree/su b/linked"));

const engine = await openTestEngine(root, { version: "1.2.3", dataFolders: { data }, jobs: 1 });
after(() => engine.stop("cancel"));
const location = (name: string) => pathToUri(join(data, name));

const bundleOf = async (runId: string) =>
  buffer(
    (
      await askArchive(engine, "GET /api/runs/{run_id}/jobs/{job_id}/bundle", {
        caller,
        params: { run_id: runId, job_id: "main" },
        query: { data: true },
      })
    ).open(),
  );

/** Every file below a folder with the digest of its content; links count as their targets. */
async function contentOf(folder: string, within = ""): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, within), { withFileTypes: true })) {
    const name = join(within, entry.name);
    if (entry.isDirectory()) found.push(`${name}/`, ...(await contentOf(folder, name)));
    else
      found.push(
        `${name} ${createHash("sha1")
          .update(await readFile(join(folder, name)))
          .digest("hex")}`,
      );
  }
  return found.sort();
}

interface Repeated {
  readonly folder: string;
  readonly status: number | null;
  readonly stderr: string;
}

/** Unpacks a bundle and runs its script while the data of the server is away. */
async function repeat(name: string, zip: Buffer): Promise<Repeated> {
  const folder = join(root, name);
  await unpackZip(zip, folder);
  await rename(data, `${data}-away`);
  await rename(join(root, "state/runs"), join(root, "state/runs-away"));
  const { status, stderr } = spawnSync("./run.sh", [], { cwd: folder, encoding: "utf8" });
  await rename(join(root, "state/runs-away"), join(root, "state/runs"));
  await rename(`${data}-away`, data);
  return { folder, status, stderr };
}

const everything = (code: number) => ({
  tool: "everything",
  inputs: {
    reads: { class: "File", location: location(READS) },
    tree: { class: "Directory", location: location("tree") },
    literal: { class: "File", basename: "literal it's.txt", contents: "literal\\n'text'\n" },
    small: { class: "File", location: location("small.txt") },
    words: ["a b", "*", "$(x) `y` \\ 'z'\n"],
    code,
  },
});

for (const [code, state] of [
  [0, "COMPLETE"],
  [7, "EXECUTOR_ERROR"],
] as const)
  test(`a script repeats a job that ended as ${state} byte by byte, without the server`, async () => {
    const run = await runToEnd(engine, everything(code));
    assert.equal(run.state, state, run.state_reason?.message ?? "");
    const { folder, status, stderr } = await repeat(`${state} elsewhere's`, await bundleOf(run.run_id));
    assert.equal(status, code, stderr);
    assert.match(stderr, new RegExp(`exit code ${code} \\(the job had ${code}\\)`));
    const original = join(root, "state/runs", run.run_id, "jobs/main@1");
    assert.deepEqual(await contentOf(join(folder, "job/out")), await contentOf(join(original, "out")));
    assert.ok((await contentOf(join(original, "out"))).some((line) => line.startsWith("said to a b.txt ")));
    assert.equal(await readFile(join(folder, "job/stderr"), "utf8"), await readFile(join(original, "stderr"), "utf8"));
    assert.equal(await readFile(join(folder, "logs/stderr.txt"), "utf8"), 'it\'s "$HOME" `x`\n*');
  });

test("a script runs again only in another folder", async () => {
  const run = await runToEnd(engine, { tool: "shell", inputs: { text: everything(0).inputs.small } });
  const { folder } = await repeat("twice", await bundleOf(run.run_id));
  const again = spawnSync("./run.sh", [], { cwd: folder, encoding: "utf8" });
  assert.deepEqual([again.status, /already exists/.test(again.stderr)], [2, true]);
  assert.equal(spawnSync("./run.sh", ["other"], { cwd: folder }).status, 0);
  assert.equal(await readFile(join(folder, "other/out/out.txt"), "utf8"), "FROM STDIN\n");
  const odd = spawnSync("./run.sh", ["it's odd"], { cwd: folder, encoding: "utf8" });
  assert.deepEqual([odd.status, /must not contain spaces/.test(odd.stderr)], [2, true]);
});

test("a bundle describes its content, and its parts are legible", async () => {
  const run = await runToEnd(engine, everything(7));
  const zip = await bundleOf(run.run_id);
  const texts = new Map(readZip(zip).map(({ name, content }) => [name, content.toString()]));
  const readme = texts.get("README.txt") ?? "";
  for (const name of [...texts.keys()].filter((key) => !/\/|README/.test(key))) assert.ok(readme.includes(name), name);
  assert.match(readme, /CONTAINS THE JOB'S DATA/);
  const record = JSON.parse(texts.get("job.json") ?? "") as { exit_code: number };
  assert.equal(record.exit_code, 7);
  assert.match(texts.get("environment.txt") ?? "", /^weft=1\.2\.3$/m);
  const inputs = JSON.parse(texts.get("inputs.json") ?? "") as Record<string, { location: string }>;
  assert.match(inputs["small"]?.location ?? "", /^inputs\/\d\/small\.txt$/);
});

test("a missing file is named, also by the script", async () => {
  await writeFile(join(data, "gone.txt"), "x");
  const text = { class: "File", location: location("gone.txt") };
  const run = await runToEnd(engine, { tool: "shell", inputs: { text } });
  await rm(join(data, "gone.txt"));
  const zip = await bundleOf(run.run_id);
  const readme =
    readZip(zip)
      .find(({ name }) => name === "README.txt")
      ?.content.toString() ?? "";
  assert.match(readme, /no longer has them[^]*gone\.txt/);
  const { folder, stderr } = await repeat("gone", zip);
  assert.match(await readFile(join(folder, "job/stderr"), "utf8"), /gone\.txt/, stderr);
});

test("a job without a command line has its tool and inputs, and the reason why there is no script", async () => {
  const run = await runToEnd(engine, { tool: "compute", inputs: { text: everything(0).inputs.small } });
  const entries = readZip(await bundleOf(run.run_id));
  const names = entries.map(({ name }) => name);
  assert.deepEqual(names, [
    "README.txt",
    "job.json",
    "tool.cwl",
    "inputs.json",
    "environment.txt",
    "inputs/1/small.txt",
  ]);
  assert.match(entries[0]?.content.toString() ?? "", /There is no run\.sh: it is an expression/);
});

test("only jobs that exist have a bundle", async () => {
  const run = await runToEnd(engine, { tool: "compute", inputs: { text: everything(0).inputs.small } });
  const ask = (runId: string, jobId: string) =>
    askArchive(engine, "GET /api/runs/{run_id}/jobs/{job_id}/bundle", {
      caller,
      params: { run_id: runId, job_id: jobId },
      query: { data: true },
    });
  await assert.rejects(ask(run.run_id, "other"), { code: "job-not-found" });
  await assert.rejects(ask("none", "main"), { code: "run-not-found" });
});
