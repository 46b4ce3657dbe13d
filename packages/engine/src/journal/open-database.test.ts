import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openForWriting } from "./open-database.ts";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";

it("openForWriting brings a log of the first version up to date", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-migrate-"));
  try {
    const path = join(folder, "weft.db");
    const old = new DatabaseSync(path);
    const later = ["container", "attempts", "retry_ms"].map((name) => `ALTER TABLE jobs DROP COLUMN ${name};`);
    old.exec(`${SCHEMA} ${later.join(" ")} PRAGMA user_version = 1;`);
    old.close();
    const db = openForWriting(path, "fast");
    assert.deepEqual({ ...db.prepare("PRAGMA user_version").get() }, { user_version: SCHEMA_VERSION });
    assert.deepEqual(db.prepare("SELECT container, attempts, retry_ms FROM jobs").all(), []);
    db.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
