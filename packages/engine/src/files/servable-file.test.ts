import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ClosedFiles } from "./beneath/closed-files.ts";
import type { OpenFile } from "./beneath/open-file.ts";
import { Reach } from "./beneath/reach.ts";
import type { Steps } from "./beneath/steps.ts";
import { servableFile } from "./servable-file.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "weft-servable-")));
after(() => rmSync(root, { recursive: true }));

/** While it opens a file, the folder of the file's job becomes that of another job. */
class LateReach extends Reach {
  override *openFile(path: string): Steps<OpenFile> {
    const file = yield* super.openFile(path);
    renameSync(join(path, ".."), join(path, "../../b@1"));
    return file;
  }
}

const within = { regions: [{ folder: root }], closed: new ClosedFiles(root, [root]) };

function logOfJob(): string {
  const folder = join(root, "jobs/a@1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "stderr"), "heard\n");
  return join(folder, "stderr");
}

describe("a file to serve", () => {
  it("is opened as it was found", async () => {
    const found = await servableFile(logOfJob(), new Reach(within));
    using file = await found?.open();
    assert.equal(file?.readAll().toString(), "heard\n");
  });

  it("is refused if its folder becomes that of another job", async () => {
    const found = await servableFile(logOfJob(), new LateReach(within));
    await assert.rejects(async () => found?.open(), /stderr no longer exists/);
    assert.equal(readFileSync(join(root, "jobs/b@1/stderr"), "utf8"), "heard\n");
  });
});
