import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

for (const path of ["/ga4gh/wes/v1/runs", "/api/runs"])
  test(`a form of 60 fields of 31 MiB at ${path} takes little memory`, { timeout: 120_000 }, async () => {
    const script = join(import.meta.dirname, "form-attack.ts");
    const flags = ["--disable-proto=delete", "--max-old-space-size=2048", script, path];
    const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 110_000 });
    const [, status, mebibytes] = /status (\d+), (\d+) MiB/.exec(stdout) ?? [];
    assert.ok(["0", "413", "400", "422"].includes(status ?? ""), stdout);
    assert.ok(Number(mebibytes) < 600, stdout);
  });
