import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { networkDisk } from "../files/network-disk.ts";
import { openStateFolder } from "./state-folder.ts";
import { StateFolderUnusable } from "../journal/state-folder-unusable.ts";

const root = temporaryFolder();
const isRoot = process.getuid?.() === 0;

function folder(name: string, prepare: (path: string) => void = () => {}): string {
  const path = join(root, name);
  mkdirSync(path, { mode: 0o700 });
  prepare(path);
  return path;
}

async function refused(path: string, why: RegExp): Promise<void> {
  await assert.rejects(
    openStateFolder(path),
    (error) => error instanceof StateFolderUnusable && why.test(error.message),
  );
}

describe("a state folder", () => {
  it("is created for only its owner if it is missing", async () => {
    const path = join(root, "new", "state");
    const state = await openStateFolder(path);
    assert.equal(statSync(path).mode & 0o777, 0o700);
    state.unlock();
  });

  it("is refused while another server holds it, and is free once that server releases it", async () => {
    const path = folder("held");
    const first = await openStateFolder(path);
    await refused(path, new RegExp(`in use by another Weft process \\(${process.pid}\\)`));
    first.unlock();
    (await openStateFolder(path)).unlock();
  });

  it("is refused, with a remedy, if others can write to it", async () => {
    const path = folder("shared", (made) => chmodSync(made, 0o775));
    await refused(path, new RegExp(`other users may write.*chmod go-w ${path}`));
    chmodSync(path, 0o755);
    (await openStateFolder(path)).unlock();
  });

  it("keeps the files of jobs in a configured shared folder, by its real path, permanently", async () => {
    const [path, shared] = [folder("log only"), folder("seen by all")];
    const first = await openStateFolder(path, shared);
    first.unlock();
    assert.match(first.runs, new RegExp(`^${shared}/weft-[0-9a-f]{8}/runs$`));
    assert.equal(realpathSync(join(path, "uploads")), first.uploads);
    const again = await openStateFolder(path, shared);
    again.unlock();
    assert.equal(again.runs, first.runs);
    const without = await openStateFolder(path);
    without.unlock();
    assert.equal(without.runs, first.runs);
  });

  it("shares a folder with no other state folder", async () => {
    const shared = folder("seen by two");
    const [one, other] = [await openStateFolder(folder("one"), shared), await openStateFolder(folder("two"), shared)];
    one.unlock();
    other.unlock();
    assert.notEqual(one.runs, other.runs);
  });

  it("is refused if it contains runs that should be shared, and is released", async () => {
    const path = folder("old runs", (made) => mkdirSync(join(made, "runs", "r"), { recursive: true }));
    await assert.rejects(
      openStateFolder(path, folder("too late")),
      /contains files of runs that cluster nodes cannot see/,
    );
    (await openStateFolder(path)).unlock();
  });

  it("is refused if it belongs to another user", { skip: isRoot ? false : "only root can give a folder away" }, () =>
    refused(
      folder("foreign", (path) => chownSync(path, 1234, 1234)),
      /belongs to another user \(1234; this is 0\).*--state/,
    ),
  );

  it("is refused if a file has its name", () => {
    const path = join(root, "file");
    writeFileSync(path, "");
    return refused(path, /cannot be created: a file of that name already exists/);
  });
});

it(
  "shared disks are distinguished from local ones",
  { skip: process.platform !== "linux" && "only Linux reports the kinds of disks" },
  () => {
    const types: [number, string | undefined][] = [
      [0xef53, undefined],
      [0x01021994, undefined],
      [0x6969, "NFS"],
      [0xff534d42, "CIFS"],
      [0xff534d42 | 0, "CIFS"],
      [0x65735546, "FUSE"],
    ];
    for (const [type, expected] of types) assert.equal(networkDisk(type), expected, type.toString(16));
  },
);
