import assert from "node:assert/strict";
import { readdirSync, renameSync } from "node:fs";
import { link, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { ClosedFiles } from "./closed-files.ts";
import { OutOfReach } from "./out-of-reach.ts";
import { Reach } from "./reach.ts";
import { runLater, runNow, type Steps } from "./steps.ts";

const root = temporaryFolder({
  "data/study/scan.txt": "scan",
  "data/study/deep/er/scan.txt": "deep scan",
  "data/state/weft.db": "the log",
  "data/state/runs/r1/out/made.txt": "made",
  "data/state/runs/r2/out/made.txt": "of another",
  "other/more.txt": "more",
  "secret/token": "token",
});
const at = (path: string) => join(root, path);
for (const [path, target] of Object.entries({
  "data/study/up": "../study/scan.txt",
  "data/study/absolute": at("data/study/scan.txt"),
  "data/study/folder": "deep",
  "data/study/through": "folder/../scan.txt",
  "data/study/lexical": "folder/er/../../scan.txt",
  "data/study/chain": "up",
  "data/study/other": "../../other/more.txt",
  "data/study/alias": at("alias/study/scan.txt"),
  "data/study/token": at("secret/token"),
  "data/study/relative-token": "../../secret/token",
  "data/study/secret": at("secret"),
  "data/study/log": "../state/weft.db",
  "data/study/run1": "../state/runs/r1/out/made.txt",
  "data/study/run2": "../state/runs/r2/out/made.txt",
  "data/study/up-and-down": at("data/study/../../secret/token"),
  "data/study/magic": "/proc/self/root/etc/hostname",
  "data/study/loop": "loop",
  "data/study/dangling": "nowhere",
  alias: "data",
}))
  await symlink(target, at(path));
await link(at("data/state/weft.db"), at("data/study/hard"));
await link(at("data/study/scan.txt"), at("data/study/hard-own"));

const reach = new Reach({
  closed: new ClosedFiles(at("data/state"), [at("data/state/runs")]),
  regions: [
    { folder: at("alias") },
    { folder: at("other") },
    { folder: at("data/state"), admits: () => false },
    { folder: at("data/state/runs"), admits: (names) => names[0] === "r1", isHidden: true, fixed: () => 1 },
  ],
});

const DRIVERS = { now: async <Result>(steps: Steps<Result>) => runNow(steps), later: runLater };

async function read(path: string, run: (typeof DRIVERS)["now"]): Promise<string> {
  using file = await run(reach.openFile(path));
  return file.readAll().toString();
}

const READABLE: Readonly<Record<string, string>> = {
  "data/study/scan.txt": "scan",
  "alias/study/scan.txt": "scan",
  "data/study/up": "scan",
  "data/study/absolute": "scan",
  "data/study/folder/er/scan.txt": "deep scan",
  "data/study/through": "scan",
  "data/study/lexical": "scan",
  "data/study/chain": "scan",
  "data/study/other": "more",
  "data/study/alias": "scan",
  "data/study/run1": "made",
  "data/study/hard-own": "scan",
  "data/study/deep/../scan.txt": "scan",
  "data/state/runs/r1/out/made.txt": "made",
};

const REFUSED: Readonly<Record<string, RegExp>> = {
  "data/study/token": /study\/token` is a link to `.*secret\/token`/,
  "data/study/relative-token": /relative-token` is a link to `.*secret\/token`/,
  "data/study/secret/token": /study\/secret` is a link to/,
  "data/study/up-and-down": /is a link/,
  "data/study/log": /study\/log` is a link to/,
  "data/state/weft.db": /is outside/,
  "data/study/run2": /is a link/,
  "data/state/runs/r2/out/made.txt": /is outside/,
  "data/study/magic": /is a link/,
  "data/study/loop": /more than 40 symbolic links/,
  "data/study/hard": /hard link to one of the server's own files/,
  "data/study/../../secret/token": /is outside/,
  "secret/token": /is outside/,
  "": /is outside/,
};

for (const [name, run] of Object.entries(DRIVERS))
  describe(`a reach, asked ${name}`, () => {
    for (const [path, text] of Object.entries(READABLE))
      it(`reads ${path}`, async () => assert.equal(await read(at(path), run), text));
    for (const [path, message] of Object.entries(REFUSED))
      it(`refuses ${path || "the folder above"}`, async () => {
        const reading = read(at(path), run);
        await assert.rejects(reading, (error) => error instanceof OutOfReach && message.test(error.message));
        if (path !== "data/study/hard") await assert.rejects(run(reach.stat(at(path))), OutOfReach);
      });
    it("returns undefined for missing paths", async () => {
      for (const path of ["data/study/none", "data/study/dangling", "data/study/scan.txt/inner"])
        assert.equal(await run(reach.stat(at(path))), undefined, path);
      await assert.rejects(read(at("data/study/none"), run), { code: "ENOENT" });
      await assert.rejects(read(at("data/study"), run), { code: "EISDIR" });
    });
    it("returns real paths", async () => {
      assert.equal(await run(reach.realPath(at("alias/study/folder/er/scan.txt"))), at("data/study/deep/er/scan.txt"));
    });
    it("lists entries within reach, and names a link that leads out", async () => {
      const [study, ...others] = await run(reach.list(at("data")));
      assert.deepEqual([study?.name, others], ["study", []]);
      await assert.rejects(run(reach.list(at("data/study"))), OutOfReach);
      const found = await run(reach.list(at("data/study"), { keepsUnreachable: true }));
      const kinds = new Map(found.map((entry) => [entry.name, entry.stats?.isFile()]));
      assert.deepEqual(
        ["scan.txt", "chain", "token", "log", "run2", "dangling"].map((file) => kinds.get(file)),
        [true, true, undefined, undefined, undefined, undefined],
      );
    });
    it("distinguishes a hidden path from an outer one", async () => {
      const isHidden = async (path: string) =>
        run(reach.stat(at(path))).catch((error: unknown) => error instanceof OutOfReach && error.isHidden);
      assert.deepEqual([await isHidden("data/study/run2"), await isHidden("data/study/token")], [true, false]);
    });
  });

describe("a new file of the server", () => {
  it("is known by its inode at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      await writeFile(at("data/state/late"), "late");
      await link(at("data/state/late"), at("data/study/late"));
      assert.throws(() => runNow(reach.openFile(at("data/study/late"))), /hard link/);
      await unlink(at("data/study/late"));
      await unlink(at("data/state/late"));
    }
  });
});

describe("open descriptors", () => {
  it("are closed however a walk ends", async () => {
    const count = () => readdirSync("/proc/self/fd").length;
    const before = count();
    for (const path of [...Object.keys(READABLE), ...Object.keys(REFUSED), "data/study/none"])
      for (const run of Object.values(DRIVERS)) {
        await read(at(path), run).catch(() => undefined);
        await run(reach.stat(at(path))).catch(() => undefined);
        await run(reach.list(at(path))).catch(() => undefined);
      }
    assert.equal(count(), before);
  });
});

describe("a folder that is swapped for a link while it is read", () => {
  it("never leads to a file outside, whichever system call the swap precedes", async () => {
    const swapped = at("data/study/swap");
    const [inner, aside, away] = [join(swapped, "inner"), join(swapped, "aside"), join(swapped, "link")];
    writeFiles(inner, { token: "harmless" });
    await symlink(at("secret"), away);
    const swap = () => {
      renameSync(inner, aside);
      renameSync(away, inner);
      renameSync(aside, away);
    };
    const seen = new Set<string>();
    for (const isLinkFirst of [false, true])
      for (let before = 0, isPast = false; !isPast; before += 1) {
        if (isLinkFirst) swap();
        let count = 0;
        const run: typeof runLater = (steps) =>
          runLater(beforeEach(steps, () => (count++ === before ? swap() : undefined)));
        const text = await read(join(inner, "token"), run).catch((error: unknown) =>
          error instanceof OutOfReach ? "refused" : "absent",
        );
        seen.add(text);
        isPast = count <= before;
        if (isPast === isLinkFirst) swap();
      }
    assert.ok(seen.has("harmless") && seen.has("refused") && !seen.has("token"), [...seen].join(" "));
  });
});

/** Repeats the steps, with `act` right before each system call. */
function* beforeEach<Result>(steps: Steps<Result>, act: () => void): Steps<Result> {
  let next = steps.next();
  while (next.done !== true) {
    const { later } = next.value;
    let value: unknown;
    try {
      value = yield { later: () => (act(), later()) };
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(value);
  }
  return next.value;
}
