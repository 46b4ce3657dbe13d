import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { debianImage } from "../conformance/debian-image.mjs";

it("names the package that an image lacks", () => {
  const { tar, missing } = debianImage({ packages: ["no-such-package-anywhere"], commandsOf: undefined });
  assert.equal(tar, undefined);
  assert.match(missing ?? "", /^this system is not Debian$|^the package no-such-package-anywhere is not installed$/);
});

it("refuses an unknown backend", () => {
  const script = fileURLToPath(new URL("../conformance/conformance.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, "--backend", "luck"], { encoding: "utf8" });
  assert.deepEqual([status, stderr], [2, "weft: --backend is local, slurm or podman, not luck\n"]);
});
