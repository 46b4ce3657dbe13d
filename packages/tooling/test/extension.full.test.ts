import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";

const out = mkdtempSync(join(tmpdir(), "weft-vsix-"));
after(() => rmSync(out, { recursive: true }));

const { buildExtension } = await import("../release/extension.mjs");
const hasRegistry = spawnSync("npm", ["ping", "--fetch-retries=0"], { timeout: 20_000 }).status === 0;

it(
  "the official tool packages the VS Code extension with exactly the files that belong to it",
  { skip: hasRegistry ? false : "needs a package registry (npm ping must succeed)", timeout: 240_000 },
  async () => {
    const path = await buildExtension({ out, epochS: 1_700_000_000 });
    assert.match(path, /weft-cwl-\d+\.\d+\.\d+\.vsix$/);
    assert.ok(statSync(path).size > 100_000);
  },
);
