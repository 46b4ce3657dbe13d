import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { PROBE_PROGRAM, probeImage } from "./probe-image.ts";

const archive = probeImage(process.arch);
const runs = process.platform === "linux" && archive !== undefined;

it("probeImage contains a program that exits with success", { skip: !runs && "only Linux runs it" }, () => {
  const folder = temporaryFolder();
  const unpacked = spawnSync("tar", ["-xf", "-", "-C", folder], { input: archive });
  assert.equal(unpacked.status, 0, unpacked.stderr.toString());
  assert.equal(spawnSync(join(folder, PROBE_PROGRAM)).status, 0);
});

it("probeImage returns undefined for other processors", () => assert.equal(probeImage("mips"), undefined));
