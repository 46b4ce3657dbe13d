import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openForWriting } from "./open-database.ts";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";

/** Columns that the first version did not have. */
const LATER = ["container", "attempts", "retry_ms", "memory_source", "io_read_bytes", "io_write_bytes", "kill"];

it("openForWriting brings a log of the first version up to date", async () => {
  const folder = await mkdtemp(join(tmpdir(), "weft-migrate-"));
  try {
    const path = join(folder, "weft.db");
    const old = new DatabaseSync(path);
    const later = LATER.map((name) => `ALTER TABLE jobs DROP COLUMN ${name};`);
    old.exec(`${SCHEMA} ${later.join(" ")} PRAGMA user_version = 1;`);
    old.close();
    const db = openForWriting(path, "fast");
    assert.deepEqual({ ...db.prepare("PRAGMA user_version").get() }, { user_version: SCHEMA_VERSION });
    assert.deepEqual(db.prepare(`SELECT ${LATER.join(", ")} FROM jobs`).all(), []);
    db.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
