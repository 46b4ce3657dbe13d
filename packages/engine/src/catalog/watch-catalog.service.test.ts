// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { watchCatalog } from "./watch-catalog.ts";

async function newCatalog(t: TestContext): Promise<string> {
  const root = temporaryFolder();
  for (const folder of ["tools/a/1", "tools/hidden", "networks"]) await mkdir(join(root, folder), { recursive: true });
  t.after(() => chmod(join(root, "tools/hidden"), 0o700).catch(() => {}));
  return root;
}

function watched(t: TestContext, root: string): { readonly next: () => Promise<unknown>; readonly errors: unknown[] } {
  const events = new EventEmitter();
  const errors: unknown[] = [];
  const watch = watchCatalog(root, { changed: () => events.emit("change"), failed: (error) => errors.push(error) });
  t.after(() => watch.close());
  return { next: () => once(events, "change"), errors };
}

describe("watchCatalog", () => {
  it("reports changes next to a folder that the account may not read", async (t) => {
    const root = await newCatalog(t);
    await chmod(join(root, "tools/hidden"), 0);
    const { next, errors } = watched(t, root);
    await next();
    const change = next();
    await writeFile(join(root, "tools/a/1/a.cwl"), "");
    await change;
    assert.equal(errors.length, process.getuid?.() === 0 ? 0 : 1);
  });

  it("reports a change after a watched folder was removed and made again", async (t) => {
    const root = await newCatalog(t);
    const { next } = watched(t, root);
    await next();
    const removal = next();
    await rm(join(root, "tools/a"), { recursive: true });
    await removal;
    const change = next();
    await mkdir(join(root, "tools/a"));
    await change;
  });

  it("survives a watched folder that becomes a file", async (t) => {
    const root = await newCatalog(t);
    const { next } = watched(t, root);
    await next();
    const replaced = next();
    await rm(join(root, "networks"), { recursive: true });
    await writeFile(join(root, "networks"), "");
    await replaced;
  });
});
