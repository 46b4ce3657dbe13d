import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { weft } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const DOCUMENT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: sh
inputs:
  script:
    type: File
    default: { class: File, location: ../../../lib/greet.sh }
    inputBinding: { position: 1 }
  name: { type: string, inputBinding: { position: 2 } }
outputs: { greeting: stdout }
stdout: greeting.txt
`;

describe("a tool of another registry", () => {
  let root = "";
  let registry = "";
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "weft-trs-test-"));
    const files = { "tools/greet/1.0.0/greet.cwl": DOCUMENT, "lib/greet.sh": 'echo "hello $1"' };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, "theirs", path)), { recursive: true });
      await writeFile(join(root, "theirs", path), text);
    }
    const server = await serve(["--state", join(root, "theirs-state"), "--catalog", join(root, "theirs")]);
    registry = `trs://${new URL(server.address).host}`;
  });
  after(() => rm(root, { recursive: true }));

  it("runs straight from its address, helper files included, and prints its digest", async () => {
    const outdir = join(root, "out");
    const { code, stderr } = await weft(["run", "--outdir", outdir, `${registry}/greet/1.0.0`, "--name", "Ann"]);
    assert.equal(code, 0, stderr);
    assert.equal(await readFile(join(outdir, "greeting.txt"), "utf8"), "hello Ann\n");
    const pinned = /^weft: (trs:\S+#sha256:[0-9a-f]{64})$/m.exec(stderr)?.[1] ?? "";
    assert.equal((await weft(["validate", pinned])).code, 0);
    const other = await weft(["run", `${registry}/greet/1.0.0#sha256:${"0".repeat(64)}`, "--name", "Ann"]);
    assert.deepEqual([other.code, /have the digest/.test(other.stderr)], [2, true], other.stderr);
  });

  it("is imported into a catalog, which shows its source and refuses it once it has changed", async () => {
    const [catalog, state] = [join(root, "ours"), join(root, "ours-state")];
    const imported = await weft(["import", "--catalog", catalog, `${registry}/greet/1.0.0`]);
    assert.equal(imported.code, 0, imported.stderr);
    const folder = imported.stdout.trim();
    assert.equal(folder, join(catalog, "tools/greet/1.0.0"));
    const { code } = await weft(["import", "--catalog", catalog, `${registry}/greet/1.0.0`]);
    assert.equal(code, 2);
    const first = await serve(["--state", state, "--catalog", catalog]);
    const read = async (address: string, path: string) => (await fetch(address + path)).json() as Promise<never>;
    const tool: { versions: { pinned: boolean; imported: { from: string } }[] } = await read(
      first.address,
      "/api/tools/greet",
    );
    assert.equal(tool.versions[0]?.pinned, true);
    assert.match(tool.versions[0]?.imported.from ?? "", /^trs:.*\/greet\/1\.0\.0#sha256:/);
    const trs: { is_production: boolean } = await read(first.address, "/ga4gh/trs/v2/tools/greet/versions/1.0.0");
    assert.equal(trs.is_production, true);
    await first.stop("SIGTERM");
    await appendFile(join(folder, "catalog/lib/greet.sh"), "# changed\n");
    const second = await serve(["--state", state, "--catalog", catalog]);
    const changed: { validation_status: string; validation: { issues: { code: string }[] } } = await read(
      second.address,
      "/api/tools/greet",
    );
    assert.deepEqual(
      [changed.validation_status, changed.validation.issues[0]?.code],
      ["invalid", "changed-since-import"],
    );
  });

  it("is refused if the address is invalid or no catalog is named", async () => {
    for (const args of [
      ["import", `${registry}/greet/1.0.0`],
      ["run", `${registry}/greet`],
      ["import", "--catalog", root, "trs:x"],
    ]) {
      const { code, stderr } = await weft(args);
      assert.equal(code, 2, `${args.join(" ")}: ${stderr}`);
    }
  });
});
