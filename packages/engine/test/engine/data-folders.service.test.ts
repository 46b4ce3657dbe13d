import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { caller, runToEnd } from "../../src/testing/drive-runs.ts";
import { openCatalogEngine } from "./open-catalog-engine.ts";
import { ask } from "../../src/testing/ask-engine.ts";
import { column } from "../../src/testing/columns.ts";

const { engine } = await openCatalogEngine();

describe("uploads and data folders", () => {
  it("stores an upload with its checksums and accepts it as an input", async () => {
    const stored = await engine.files.upload(
      caller,
      "näme.txt",
      Readable.from([Buffer.from("up"), Buffer.from("load\n")]),
    );
    assert.equal(stored.checksum, `sha1$${createHash("sha1").update("upload\n").digest("hex")}`);
    const run = await runToEnd(engine, {
      tool: "shout",
      inputs: { text: { class: "File", location: stored.location } },
    });
    assert.equal(run.state, "COMPLETE");
  });

  it("refuses files that are too large or have no plain name, and leaves nothing behind", async () => {
    await assert.rejects(engine.files.upload(caller, "big", Readable.from([Buffer.alloc(2000)])), {
      code: "body-too-large",
    });
    for (const name of ["../x", "", ".", "ä".repeat(200), "a\nb"])
      await assert.rejects(engine.files.upload(caller, name, Readable.from([])), { code: "invalid-parameters" }, name);
    const { entries } = await ask(engine, "GET /api/files", { caller, query: { location: "weft-data://uploads/" } });
    for (const entry of entries) assert.match(entry.name, /^[0-9a-f-]{36}$/);
  });

  it("shows data folders and refuses everything else", async () => {
    const { entries } = await ask(engine, "GET /api/files", { caller });
    assert.deepEqual(column(entries, "name"), ["catalog", "uploads"]);
    const { entries: data } = await ask(engine, "GET /api/files", {
      caller,
      query: { location: "weft-data://catalog/data/" },
    });
    assert.ok(data.some(({ location }) => location === "weft-data://catalog/data/one.txt"));
    for (const location of ["weft-data://runs/", "file:///etc/", "weft-data://catalog/../", "weft-data://none/"]) {
      await assert.rejects(
        ask(engine, "GET /api/files", { caller, query: { location } }),
        { code: "file-not-found" },
        location,
      );
    }
  });
});
