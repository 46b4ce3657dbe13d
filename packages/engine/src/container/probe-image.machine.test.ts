import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { PROBE_PROGRAM, probeImage } from "./probe-image.ts";

const archive = probeImage(process.arch);
const runs = process.platform === "linux" && archive !== undefined;

it("probeImage contains a program that exits with success", { skip: !runs && "only Linux runs it" }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-probe-"));
  try {
    const unpacked = spawnSync("tar", ["-xf", "-", "-C", folder], { input: archive });
    assert.equal(unpacked.status, 0, unpacked.stderr.toString());
    assert.equal(spawnSync(join(folder, PROBE_PROGRAM)).status, 0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("probeImage returns undefined for other processors", () => assert.equal(probeImage("mips"), undefined));
