import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, symlinkSync } from "node:fs";
import { cp, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, describe, it } from "node:test";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Engine } from "../src/port/engine.ts";
import { caller, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";

const TOKEN = "the-access-token-of-the-server";
const tool = (body: string) => `cwlVersion: v1.2
class: CommandLineTool
requirements: { InlineJavascriptRequirement: {}, LoadListingRequirement: { loadListing: deep_listing } }
${body}`;

const TOOLS: Readonly<Record<string, string>> = {
  /** An expression decides with the contents of what it was given. */
  read: tool(`baseCommand: "true"
inputs:
  file: { type: "File?", loadContents: true }
  choice: { type: string?, default: "" }
  text: { type: string, default: x, inputBinding: { valueFrom: '$(inputs.file ? inputs.file.contents : "none")' } }
outputs: {}
`),
  any: tool(`baseCommand: "true"
inputs: { it: { type: Any, loadContents: true } }
outputs: {}
`),
  beside: tool(`baseCommand: "true"
inputs: { it: { type: File, secondaryFiles: [.idx] } }
outputs: {}
`),
  /** The message about the missing file would quote what the other holds. */
  quote: tool(`baseCommand: "true"
inputs:
  file: { type: File, loadContents: true }
  it: { type: File, secondaryFiles: ["$(inputs.file.contents)"] }
outputs: {}
`),
  list: tool(`baseCommand: [echo, -n]
inputs: { tree: { type: Directory } }
arguments: [{ valueFrom: '$(JSON.stringify(inputs.tree.listing))' }]
stdout: listing.json
outputs: { listing: stdout }
`),
  copy: tool(`baseCommand: [sh, -c, "cp -r tree out; chmod -R u+w out"]
requirements:
  InitialWorkDirRequirement: { listing: [{ entry: $(inputs.tree), entryname: tree, writable: true }] }
inputs: { tree: Directory }
outputs: { out: { type: Directory, outputBinding: { glob: out } } }
`).replace("requirements: {", "hints: {"),
  into: tool(`baseCommand: "true"
requirements:
  InitialWorkDirRequirement:
    listing:
      - { entry: $(inputs.tree), entryname: tree }
      - { entryname: $(inputs.name), entry: overwritten }
inputs: { tree: Directory, name: string }
outputs: {}
`).replace("requirements: {", "hints: {"),
  script: tool(`baseCommand: [sh, -c]
inputs: { script: { type: string, inputBinding: { position: 1 } } }
outputs:
  out: { type: "Directory?", outputBinding: { glob: out } }
  file: { type: "File?", outputBinding: { glob: file } }
`),
  logged: tool(`baseCommand: [sh, -c, "echo said; mkdir out; echo made > out/made"]
inputs: {}
stdout: said.txt
outputs:
  said: stdout
  out: { type: Directory, outputBinding: { glob: out } }
`),
  pass: tool(`baseCommand: "true"
inputs: { file: File }
outputs: {}
`),
  login: `cwlVersion: v1.2
class: CommandLineTool
requirements:
  cwltool:Secrets: { secrets: [password] }
  InitialWorkDirRequirement: { listing: [{ entryname: conf/login, entry: $(inputs.password) }] }
baseCommand: [sh, -c, 'echo plain > plain; while [ ! -e "$1" ]; do sleep 0.05; done', login]
inputs: { password: string, gate: { type: string, inputBinding: { position: 1 } } }
outputs: {}
`,
};

const root = await realpath(await mkdtemp(join(tmpdir(), "weft-reach-runs-")));
const at = (path: string) => join(root, path);
const engines: Engine[] = [];
after(async () => {
  for (const engine of engines) await engine.stop("cancel");
  await rm(root, { recursive: true, force: true });
});

for (const [name, text] of Object.entries(TOOLS)) {
  await mkdir(at(`catalog/tools/${name}/1.0.0`), { recursive: true });
  await writeFile(at(`catalog/tools/${name}/1.0.0/${name}.cwl`), text);
}
const FILES = { "data/tree/plain.txt": "plain", "data/scan.nii": "scan", "outside/secret.txt": TOKEN };
for (const [path, text] of Object.entries({ ...FILES, "data/safe/annexed/key": "annexed" })) {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}
await symlink("annexed/key", at("data/safe/linked"));
await symlink("../../scan.nii", at("data/safe/annexed/up"));
await symlink(at("outside/secret.txt"), at("data/link.txt"));
await symlink(at("state/access-token"), at("data/scan.nii.idx"));

const engine = await openTestEngine(root, { dataFolders: { data: at("data") }, jobs: 2, container: "none" });
engines.push(engine);
await writeFile(at("state/access-token"), TOKEN, { mode: 0o600 });

const file = (location: string) => ({ class: "File", location });
const folder = (location: string) => ({ class: "Directory", location });
const start = (name: string, inputs: object) => runToEnd(engine, { tool: name, inputs: { ...inputs } });

async function refusalOf(name: string, inputs: object): Promise<string> {
  try {
    const run = await start(name, inputs);
    return `${run.state} ${JSON.stringify(run.state_reason)}`;
  } catch (error) {
    if (error instanceof Refusal) return JSON.stringify({ message: error.message, errors: error.errors });
    throw error;
  }
}

async function textOf(runId: string, path: string): Promise<string> {
  using opened = await (await engine.files.runFile(caller, runId, path)).open();
  return opened.readAll().toString();
}

describe("a location that is refused", () => {
  const state = `file://${at("state")}`;
  const asks: readonly (readonly [string, string, object])[] = [
    ["the contents of a file of the server", "read", { file: file(`${state}/access-token`) }],
    ["the same for Any", "any", { it: file(`${state}/access-token`) }],
    ["the same in a list", "any", { it: [{ deep: file(`${state}/access-token`) }] }],
    [
      "a secondary file of the server",
      "any",
      { it: { ...file("weft-data://data/scan.nii"), secondaryFiles: [file(`${state}/access-token`)] } },
    ],
    [
      "contents that a message would quote",
      "quote",
      { file: file(`${state}/access-token`), it: file("weft-data://data/scan.nii") },
    ],
    ["a secondary file that is found beside", "beside", { it: file("weft-data://data/scan.nii") }],
    ["the file behind a link in a data folder", "read", { file: file("weft-data://data/link.txt") }],
    [
      "a member of a listing",
      "any",
      { it: { class: "Directory", basename: "d", listing: [file(`${state}/access-token`)] } },
    ],
    ["a folder of the system", "list", { tree: folder("file:///usr") }],
    ["the state folder", "list", { tree: folder(state) }],
    ["the folder of all runs", "list", { tree: folder("weft-data://runs/") }],
  ];
  for (const [what, name, inputs] of asks)
    it(`is not opened: ${what}`, { timeout: 5000 }, async () => {
      const refusal = await refusalOf(name, inputs);
      assert.match(refusal, /file-not-allowed|missing-file|is a link that leads to/);
      assert.ok(!refusal.includes(TOKEN), refusal);
    });

  it("is refused where a data folder holds the state folder as a whole", async () => {
    const wide = await openTestEngine(at("wide"), {
      dataFolders: { all: root },
      catalogFolder: at("catalog"),
      jobs: 1,
      container: "none",
    });
    engines.push(wide);
    await writeFile(at("wide/state/access-token"), TOKEN);
    for (const location of ["weft-data://all/", "weft-data://all/wide", "weft-data://all/wide/state"])
      await assert.rejects(
        wide.runs.create(caller, {
          body: { tool: "list", inputs: { tree: folder(location) } },
          idempotencyKey: undefined,
        }),
        {
          code: "invalid-inputs",
        },
      );
    for (const path of ["wide/state/access-token", "wide/state/weft.db"])
      await assert.rejects(
        wide.runs.create(caller, {
          body: { tool: "read", inputs: { file: file(`weft-data://all/${path}`) } },
          idempotencyKey: undefined,
        }),
        {
          code: "invalid-inputs",
        },
      );
    const { entries } = await wide.files.browse(caller, { location: "weft-data://all/wide/" });
    assert.deepEqual(
      entries.map(({ name }) => name),
      [],
    );
    await assert.rejects(wide.files.browse(caller, { location: "weft-data://all/wide/state/" }), {
      code: "file-not-found",
    });
  });
});

describe("a link within a folder that is an input", () => {
  const HOSTILE: Readonly<Record<string, string>> = {
    "to a file of the server": at("state/access-token"),
    "to a folder outside": at("outside"),
    "relative, out of the data folder": "../../outside/secret.txt",
    "by way of /proc": `/proc/self/root${at("outside/secret.txt")}`,
  };
  for (const [what, target] of Object.entries(HOSTILE))
    for (const depth of ["", "deep/er/"])
      it(`is refused by name ${what}${depth === "" ? "" : ", far down"}`, async () => {
        const tree = await mkdtemp(at("data/hostile-"));
        await cp(at("data/tree"), tree, { recursive: true });
        await mkdir(join(tree, depth), { recursive: true });
        await symlink(
          target.startsWith("..") ? `${"../".repeat(depth.split("/").length - 1)}${target}` : target,
          join(tree, depth, "evil"),
        );
        const location = `weft-data://data/${tree.slice(at("data/").length)}`;
        for (const name of ["list", "copy"]) {
          const refusal = await refusalOf(name, { tree: folder(location) });
          assert.match(refusal, /evil` is a link that leads to/, name);
          assert.ok(!refusal.includes(TOKEN));
        }
      });

  it("works within the data folders, as data sets of git-annex need it", async () => {
    const listed = await start("list", { tree: folder("weft-data://data/safe") });
    assert.equal(listed.state, "COMPLETE", JSON.stringify(listed.state_reason));
    assert.match(await textOf(listed.run_id, "outputs/listing.json"), /"basename":"linked".*"size":7/s);
    const copied = await start("copy", { tree: folder("weft-data://data/safe") });
    assert.equal(copied.state, "COMPLETE", JSON.stringify(copied.state_reason));
    assert.equal(await textOf(copied.run_id, "outputs/out/linked"), "annexed");
    assert.equal(await textOf(copied.run_id, "outputs/out/annexed/up"), "scan");
  });

  it("does not let a staged text into the folder that it leads to", async () => {
    await refusalOf("into", { tree: folder("weft-data://data/tree"), name: "tree/plain.txt" });
    await refusalOf("into", { tree: folder("weft-data://data/tree"), name: "tree/new.txt" });
    assert.equal(await readFile(at("data/tree/plain.txt"), "utf8"), "plain");
    assert.deepEqual(await readdir(at("data/tree")), ["plain.txt"]);
  });
});

describe("a job that leaves links and special files", () => {
  const jobFile = (path: string) => `jobs/main@1/out/${path}`;

  it("gets nothing served that they lead to", async () => {
    const script = `ln -s ${at("state/access-token")} t; ln -s ${at("outside")} o; ln -s ../launch l; ln -s .. up; mkfifo p; echo fine > ok`;
    const run = await start("script", { script });
    const paths = ["t", "o/secret.txt", "l", "up/launch", "up/../../../../../access-token", "p"];
    for (const path of paths) await assert.rejects(textOf(run.run_id, jobFile(path)), { code: "file-not-found" }, path);
    assert.equal(await textOf(run.run_id, jobFile("ok")), "fine\n");
  });

  it("gets no hard link served that names a file of the server", async () => {
    const run = await start("script", { script: "echo fine > ok" });
    await link(at("state/access-token"), at(`state/runs/${run.run_id}/jobs/main@1/out/hard`));
    await assert.rejects(textOf(run.run_id, jobFile("hard")), { code: "file-not-found" });
  });

  it("gets nothing into logs, archives, bundles and crates by replacing files with links afterwards", async () => {
    const { run_id: runId } = await start("logged", {});
    const replaced = ["jobs/main@1/out/said.txt", "jobs/main@1/stderr", "jobs/main@1/out/out/made", "outputs/out/made"];
    for (const path of replaced) {
      await rm(at(`state/runs/${runId}/${path}`));
      await symlink(at("state/access-token"), at(`state/runs/${runId}/${path}`));
      await assert.rejects(textOf(runId, path), { code: "file-not-found" }, path);
    }
    for (const stream of ["stdout", "stderr"] as const)
      await assert.rejects(engine.files.jobLog(caller, { runId, jobId: "main", stream }), { code: "file-not-found" });
    const archives = [
      () => engine.archives.outputs(caller, runId),
      () => engine.archives.job(caller, { runId, jobId: "main", withData: true }),
      () => engine.archives.job(caller, { runId, jobId: "main", withData: false }),
      () => engine.provenance.crateArchive(caller, runId),
    ];
    for (const archive of archives) {
      const bytes = await archive()
        .then((made) => buffer(made.open()))
        .catch((error: unknown) => Buffer.from(String(error)));
      assert.ok(!bytes.includes(TOKEN), archive.toString());
    }
    assert.ok(!JSON.stringify(engine.runs.job(caller, runId, "main")).includes(TOKEN));
  });

  it("publishes no file behind a link that leads out", async () => {
    for (const script of [
      `ln -s ${at("state/access-token")} file`,
      `mkdir out; ln -s ${at("outside")} out/o`,
      `mkdir -p out/a; ln -s ${at("state/access-token")} out/a/t`,
    ]) {
      const run = await start("script", { script });
      assert.match(JSON.stringify(run.state_reason), /OUTPUT_INVALID.*link/, script);
      assert.ok(!JSON.stringify(run).includes(TOKEN));
    }
  });
});

describe("folders of a job that link to each other", () => {
  const names = Array.from({ length: 8 }, (_, index) => `f${index}`).join(" ");
  const script = `mkdir out; cd out
    for a in ${names}; do mkdir $a; echo $a > $a/file; done
    for a in ${names}; do for b in ${names}; do ln -s ../$b $a/to-$b; done; done`;

  it("are published once each, archived, and digested for the cache", { timeout: 20_000 }, async () => {
    const run = await start("script", { script });
    assert.equal(run.state, "COMPLETE", JSON.stringify(run.state_reason));
    const files = execFileSync("find", [at(`state/runs/${run.run_id}/outputs`), "-type", "f"])
      .toString()
      .trim();
    assert.equal(files.split("\n").length, 8);
    assert.equal(await textOf(run.run_id, "outputs/out/f0/file"), "f0\n");
    await buffer((await engine.archives.outputs(caller, run.run_id)).open());
    const again = await start("script", { script });
    const { cache } = engine.runs.job(caller, again.run_id, "main");
    assert.equal(cache?.decision, "hit", cache?.reason ?? "");
  });
});

describe("a job that is running", () => {
  it("shows its outputs and logs, and neither how it was started nor its secrets", async () => {
    const gate = at("gate");
    const runId = await startRun(engine, { tool: "login", inputs: { password: TOKEN, gate } });
    const attempt = `jobs/main@1`;
    await untilRun(engine, runId, () => existsSync(at(`state/runs/${runId}/${attempt}/out/plain`)));
    const hidden = [
      "launch",
      "record",
      "secret-files.json",
      "out/conf/login",
      "in",
      "tmp",
      "out/../launch",
      "out/conf/../conf/login",
    ];
    for (const path of hidden) {
      await assert.rejects(engine.files.runFile(caller, runId, `${attempt}/${path}`), { code: "file-not-found" }, path);
      const asInput = await refusalOf("read", { file: file(`weft-data://runs/${runId}/${attempt}/${path}`) });
      assert.match(asInput, /missing-file|file-not-allowed/, path);
    }
    for (const path of ["", "/out", "/out/conf"]) {
      const refusal = await refusalOf("list", { tree: folder(`weft-data://runs/${runId}/${attempt}${path}`) });
      assert.match(refusal, /missing-file/, path);
    }
    const linked = at("data/to-launch");
    symlinkSync(at(`state/runs/${runId}/${attempt}/launch`), linked);
    assert.match(
      await refusalOf("read", { file: file("weft-data://data/to-launch") }),
      /missing-file|file-not-allowed/,
    );
    assert.equal(await textOf(runId, `${attempt}/out/plain`), "plain\n");
    await (
      await engine.files.jobLog(caller, { runId, jobId: "main", stream: "stderr" })
    )
      .open()
      .then((opened) => opened.close());
    await writeFile(gate, "");
    await untilRun(engine, runId, ({ state }) => state === "COMPLETE");
  });
});

/** Swaps two names of a folder as fast as it can: at every moment each of them is there. */
const SWAPPER = `
import ctypes, os, sys
os.chdir(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
print("ready", flush=True)
while not os.path.exists("stop"):
    for _ in range(1000):
        if libc.renameat2(-100, b"a", -100, b"b", 2) != 0: sys.exit(ctypes.get_errno())
`;
const hasPython = spawnSync("python3", ["-c", "import ctypes"]).status === 0;

describe("a folder that a job swaps for a link", { skip: hasPython ? false : "python3 is not installed" }, () => {
  async function whileSwapping(runId: string, work: (out: string) => Promise<void>): Promise<void> {
    const out = at(`state/runs/${runId}/jobs/main@1/out`);
    await mkdir(join(out, "a"));
    await writeFile(join(out, "a/access-token"), "harmless");
    await symlink(at("state"), join(out, "b"));
    const swapper = spawn("python3", ["-c", SWAPPER, out], { stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(swapper, "exit");
    await once(swapper.stdout, "data");
    try {
      await work(out);
    } finally {
      await writeFile(join(out, "stop"), "");
      assert.deepEqual((await exited)[0], 0);
    }
  }

  it("never gives away the file behind the link, however often it is asked for", { timeout: 60_000 }, async () => {
    const run = await start("script", { script: "true" });
    const seen = new Map<string, number>();
    await whileSwapping(run.run_id, async () => {
      for (let round = 0; round < 4000; round += 1) {
        const text = await serve(run.run_id, "jobs/main@1/out/a/access-token");
        seen.set(text, (seen.get(text) ?? 0) + 1);
      }
    });
    assert.equal(seen.get(TOKEN) ?? 0, 0, JSON.stringify([...seen]));
    assert.ok((seen.get("harmless") ?? 0) > 100 && (seen.get("absent") ?? 0) > 100, JSON.stringify([...seen]));
  });

  it("never gives it away as an input", { timeout: 60_000 }, async () => {
    const run = await start("script", { script: "true" });
    await whileSwapping(run.run_id, async () => {
      for (let round = 0; round < 100; round += 1) {
        const location = `weft-data://runs/${run.run_id}/jobs/main@1/out/a/access-token`;
        const plan = await engine.runs
          .plan(caller, { tool: "read", inputs: { file: file(location) } })
          .then(JSON.stringify, (error: unknown) => String(error));
        assert.ok(!plan.includes(TOKEN), plan);
      }
    });
  });

  async function serve(runId: string, path: string): Promise<string> {
    try {
      const opened = await (await engine.files.runFile(caller, runId, path)).open();
      return (await buffer(opened.stream())).toString();
    } catch (error) {
      if (error instanceof Refusal && error.code === "file-not-found") return "absent";
      throw error;
    }
  }
});
