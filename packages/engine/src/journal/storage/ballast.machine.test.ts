import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { Ballast } from "./ballast.ts";

const disk = mkdtempSync(join(tmpdir(), "weft-ballast-"));
const isMounted =
  process.platform === "linux" && spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "none", disk]).status === 0;
after(() => {
  if (isMounted) spawnSync("umount", ["-l", disk]);
  rmSync(disk, { recursive: true });
});
const skip = isMounted ? false : "a small disk can only be mounted by root on Linux";
const path = join(disk, "ballast");
const filler = join(disk, "filler");

function fill(): void {
  const file = openSync(filler, "a");
  try {
    for (const chunk = Buffer.alloc(4096, 1); ;) writeSync(file, chunk);
  } catch {
    closeSync(file);
  }
}

it(
  "a ballast takes an eighth of a small disk, releases it in slices, and fills it again when space is free",
  { skip },
  () => {
    const ballast = new Ballast(path);
    assert.equal(statSync(path).size, 1024 ** 2);
    assert.equal(ballast.restore(), true);
    fill();
    assert.equal(ballast.restore(), false);
    assert.equal(ballast.giveUp(), true);
    assert.equal(statSync(path).size, 0.75 * 1024 ** 2);
    const size = statSync(filler).size;
    fill();
    assert.equal(statSync(filler).size - size, 0.25 * 1024 ** 2);
    while (ballast.giveUp()) fill();
    assert.equal(statSync(path).size, 0);
    assert.equal(ballast.restore(), false);
    rmSync(filler);
    assert.equal(ballast.restore(), true);
    assert.equal(statSync(path).size, 1024 ** 2);
  },
);

it("a full disk is served without a ballast", { skip }, () => {
  rmSync(path);
  fill();
  const ballast = new Ballast(path);
  assert.deepEqual([existsSync(path), ballast.giveUp(), ballast.restore()], [false, false, false]);
  rmSync(filler);
  assert.equal(ballast.restore(), true);
});
