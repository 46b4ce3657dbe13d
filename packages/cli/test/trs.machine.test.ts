import assert from "node:assert/strict";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { createClient } from "@weft/shared/routes/client.ts";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit, expectSuccess } from "../src/testing/run-in-process.ts";
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
  const root = temporaryFolder({
    "theirs/tools/greet/1.0.0/greet.cwl": DOCUMENT,
    "theirs/lib/greet.sh": 'echo "hello $1"',
  });
  let registry = "";
  before(async () => {
    const server = await serve(["--state", join(root, "theirs-state"), "--catalog", join(root, "theirs")]);
    registry = `trs://${new URL(server.address).host}`;
  });

  it("runs straight from its address, helper files included, and prints its digest", async () => {
    const outdir = join(root, "out");
    const words = ["run", "--outdir", outdir, `${registry}/greet/1.0.0`, "--name", "Ann"];
    const { stderr } = await expectSuccess(words);
    assert.equal(await readFile(join(outdir, "greeting.txt"), "utf8"), "hello Ann\n");
    const pinned = /^weft: (trs:\S+#sha256:[0-9a-f]{64})$/m.exec(stderr)?.[1] ?? "";
    await expectSuccess(["validate", pinned]);
    await expectExit(["run", `${registry}/greet/1.0.0#sha256:${"0".repeat(64)}`], 2, /have the digest/);
  });

  it("is imported into a catalog, which shows its source and refuses it once it has changed", async () => {
    const [catalog, state] = [join(root, "ours"), join(root, "ours-state")];
    const words = ["import", "--catalog", catalog, `${registry}/greet/1.0.0`];
    const imported = await expectSuccess(words);
    const folder = imported.stdout.trim();
    assert.equal(folder, join(catalog, "tools/greet/1.0.0"));
    await expectExit(words, 2, /already exists/);
    const first = await serve(["--state", state, "--catalog", catalog]);
    const params = { id: "greet" };
    const { versions } = await createClient(first.address)("GET /api/tools/{id}", { params });
    assert.equal(versions[0]?.pinned, true);
    assert.match(versions[0]?.imported?.from ?? "", /^trs:.*\/greet\/1\.0\.0#sha256:/);
    const trs = await fetch(`${first.address}/ga4gh/trs/v2/tools/greet/versions/1.0.0`);
    assert.match(await trs.text(), /"is_production":\s*true/);
    await first.stop("SIGTERM");
    await appendFile(join(folder, "catalog/lib/greet.sh"), "# changed\n");
    const second = await serve(["--state", state, "--catalog", catalog]);
    const changed = await createClient(second.address)("GET /api/tools/{id}", { params });
    assert.equal(changed.validation_status, "invalid");
    assert.equal(changed.validation.issues[0]?.code, "changed-since-import");
  });

  it("is refused if the address is invalid or no catalog is named", async () => {
    await expectExit(["import", `${registry}/greet/1.0.0`], 2, /--catalog DIR is required/);
    await expectExit(["run", `${registry}/greet`], 2, /write trs:/);
    await expectExit(["import", "--catalog", root, "trs:x"], 2, /write trs:/);
  });
});
