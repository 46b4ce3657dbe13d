// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { removeBelowTrusted } from "@weft/engine/files/beneath/open-folder.ts";
import { createClient } from "@weft/shared/routes/client.ts";
import { startRun, untilRun } from "../src/testing/follow-run.ts";
import { cwlRunner, weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = await realpath(await mkdtemp(join(tmpdir(), "weft-rights-")));
after(() => removeBelowTrusted(root));

const SHELL = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  baseCommand: ["sh", "-c"],
  stdout: "o.txt",
  outputs: { o: "stdout" },
};
const shell = (script: string, more: object = {}) => ({ ...SHELL, inputs: {}, arguments: [script], ...more });

async function write(path: string, document: object): Promise<string> {
  const full = join(root, path);
  await mkdir(join(full, ".."), { recursive: true });
  await writeFile(full, JSON.stringify(document));
  return full;
}

let count = 0;

/** Runs a document; `left`: the names that remain in its temporary folder. */
async function run(words: readonly string[], program = (line: readonly string[]) => weft(["run", ...line])) {
  const place = join(root, `run-${++count}`);
  const line = ["--tmpdir-prefix", `${place}/tmp/`, "--outdir", join(place, "out"), ...words];
  const result = await program(line);
  assert.equal(result.code, 0, result.stderr);
  // The output object, which the tests look into.
  const outputs = JSON.parse(result.stdout) as { readonly [name: string]: { readonly path: string } };
  return { ...result, outputs, out: join(place, "out"), left: await readdir(join(place, "tmp")) };
}

const READ_ONLY = {
  "a folder of mode 0555": "mkdir d; echo 1 > d/f; chmod 555 d",
  "a folder of mode 0": "mkdir d; echo 1 > d/f; chmod 0 d",
  "read-only folders within each other": "mkdir -p d/e/f; echo 1 > d/e/f/g; chmod 0 d/e/f; chmod 111 d/e; chmod 444 d",
  "a sticky folder, and files of mode 0": "mkdir d; echo 1 > d/f; chmod 0 d/f; chmod 1555 d",
  "a read-only temporary folder": 'mkdir "$TMPDIR/d"; echo 1 > "$TMPDIR/d/f"; chmod 0 "$TMPDIR/d"; chmod 500 "$TMPDIR"',
  "read-only folders of its own": "mkdir d; echo 1 > d/f; chmod 500 d .",
};

describe("A tool that leaves behind", () => {
  for (const [what, script] of Object.entries(READ_ONLY))
    it(`${what} exits like any other, and nothing remains`, async () => {
      const tool = await write("leaves.cwl", shell(`${script}; echo hi`));
      for (const program of [undefined, cwlRunner]) {
        const { outputs, stderr, left } = await run([tool], program);
        assert.equal(await readFile(outputs["o"]?.path ?? "", "utf8"), "hi\n");
        assert.doesNotMatch(stderr, /warning/);
        assert.deepEqual(left, []);
      }
    });

  it("a read-only folder passes its test", async () => {
    const tool = await write("tested/tested.cwl", shell(`${READ_ONLY["a folder of mode 0"]}; echo hi`));
    const tests = await write("tested/tests/passes.yml", { inputs: {}, outputs: { o: { contents: "hi\n" } } });
    const tested = await weft(["test", tests], { cwd: join(tool, "..") });
    assert.deepEqual([tested.code, tested.stderr], [0, ""], tested.stdout);
  });
});

describe("A writable copy", () => {
  const inputs = { f: "File[]?", d: "Directory?", one: "File?" };
  const stage = (listing: unknown) => ({
    inputs,
    requirements: { InitialWorkDirRequirement: { listing }, InlineJavascriptRequirement: {} },
  });
  const CASES: readonly (readonly [string, unknown, string])[] = [
    ["a file", [{ entry: "$(inputs.one)", writable: true }], "ro.txt"],
    ["a file with another name", [{ entryname: "new.txt", entry: "$(inputs.one)", writable: true }], "new.txt"],
    ["files in an array", [{ entry: "$(inputs.f)", writable: true }], "ro.txt"],
    ["a file in a folder", [{ entry: "$(inputs.d)", writable: true }], "data/sub/ro.txt"],
    [
      "a file in a folder that the document describes",
      [{ entry: '$({class: "Directory", basename: "made", listing: [inputs.one]})', writable: true }],
      "made/ro.txt",
    ],
  ];
  let job = "";

  it("is writable, regardless of the modes of the originals", async () => {
    const folder = join(root, "data");
    await mkdir(join(folder, "sub"), { recursive: true });
    for (const path of [join(root, "ro.txt"), join(folder, "sub/ro.txt")]) {
      await writeFile(path, "a\n");
      await chmod(path, 0o444);
    }
    await chmod(join(folder, "sub"), 0o555);
    const one = { class: "File", path: "ro.txt" };
    job = await write("job.json", { f: [one], one, d: { class: "Directory", path: "data" } });
    for (const [what, listing, path] of CASES) {
      const tool = await write("writes.cwl", shell(`echo more >> ${path} && cat ${path}`, stage(listing)));
      const { outputs } = await run([tool, job]);
      assert.equal(await readFile(outputs["o"]?.path ?? "", "utf8"), "a\nmore\n", what);
    }
    assert.equal(await readFile(join(root, "ro.txt"), "utf8"), "a\n");
  });

  it("is writable on a server", async () => {
    const script = "echo more >> data/sub/ro.txt && cat data/sub/ro.txt; chmod 0 data/sub";
    await write("catalog/tools/writes/1.0.0/writes.cwl", shell(script, stage(CASES[3]?.[1])));
    const folders = ["--state", join(root, "state"), "--catalog", join(root, "catalog"), "--data", `in=${root}`];
    const server = await serve(folders);
    const client = createClient(server.address);
    const d = { class: "Directory", location: "weft-data://in/data" };
    const seen = await untilRun(client, await startRun(client, { tool: "writes", inputs: { d } }));
    assert.equal(seen.state, "COMPLETE", JSON.stringify(seen.state_reason));
    await server.stop("SIGTERM");
  });
});

describe("A dangling link", () => {
  const inputs = { d: "Directory" };
  const PASS = {
    cwlVersion: "v1.2",
    class: "ExpressionTool",
    requirements: { InlineJavascriptRequirement: {} },
    inputs,
    outputs: { o: "Directory" },
    expression: "${return {o: inputs.d}}",
  };

  it("stays a link in every copy of its folder", async () => {
    await mkdir(join(root, "ds/sub"), { recursive: true });
    await writeFile(join(root, "ds/sub/file"), "1");
    for (const [name, target] of [
      ["dead", "missing"],
      ["annexed", "../../.git/annex/objects/x"],
      ["away", "/nonexistent/x"],
    ] as const)
      await symlink(target, join(root, "ds/sub", name));
    const job = await write("d.json", { d: { class: "Directory", path: "ds" } });
    const { out } = await run([await write("pass.cwl", PASS), job]);
    assert.equal(await readlink(join(out, "ds/sub/dead")), "missing");
    assert.equal(await readlink(join(out, "ds/sub/annexed")), "../../.git/annex/objects/x");
    assert.equal(await readlink(join(out, "ds/sub/away")), "/nonexistent/x");
    const listing = [{ entry: "$(inputs.d)", writable: true }];
    for (const more of [{}, { InplaceUpdateRequirement: { inplaceUpdate: true } }]) {
      const requirements = { InitialWorkDirRequirement: { listing }, ...more };
      const tool = shell("readlink ds/sub/dead; touch ds/new", { inputs, requirements });
      const { outputs } = await run([await write("links.cwl", tool), job]);
      assert.equal(await readFile(outputs["o"]?.path ?? "", "utf8"), "missing\n");
    }
    assert.ok((await lstat(join(root, "ds/sub/dead"))).isSymbolicLink());
  });
});

describe("A name", () => {
  it("may end in a space, which makes it another name", async () => {
    const script = 'printf A > x; printf B > "x "; mkdir d "d "; printf dirA > d/f; printf dirB > "d /f"';
    const outputs = {
      x: { type: "File", outputBinding: { glob: "x " } },
      d: { type: "Directory", outputBinding: { glob: "d " } },
    };
    const { out } = await run([await write("names.cwl", shell(script, { outputs }))]);
    assert.equal(await readFile(join(out, "x "), "utf8"), "B");
    assert.equal(await readFile(join(out, "d /f"), "utf8"), "dirB");
  });

  it("is decoded in a relative location", async () => {
    const script = `mkdir s; echo right > "s/b c"; echo wrong > "s/b%20c"; echo '{"f": {"class": "File", "location": "s/b%20c"}}' > cwl.output.json`;
    const { outputs } = await run([await write("location.cwl", shell(script, { outputs: { f: "File" } }))]);
    assert.equal(await readFile(outputs["f"]?.path ?? "", "utf8"), "right\n");
  });
});

describe("A folder that the account may not use", () => {
  it(
    "is named in plain words before anything runs",
    { skip: process.getuid?.() === 0 && "root may use all folders" },
    async () => {
      await mkdir(join(root, "closed"));
      await chmod(join(root, "closed"), 0o555);
      const tool = await write("leaves.cwl", shell(`echo hi > ${join(root, "ran")}`));
      const { code, stderr } = await weft(["run", "--outdir", join(root, "closed/out"), tool]);
      assert.equal(code, 2);
      assert.match(stderr, /nothing can be written there: permission denied: .*closed; choose another folder/);
      assert.doesNotMatch(stderr, /EACCES|proc\/self|\n +at /);
      assert.equal(existsSync(join(root, "ran")), false);
    },
  );
});
