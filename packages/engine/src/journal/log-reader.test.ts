import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { EventAppender } from "./append-events.ts";
import { createLogReader } from "./log-reader.ts";
import { openForReading, openForWriting } from "./open-database.ts";
import { jobQueued, runCreated } from "./testing/new-events.ts";

test("the reads of a snapshot agree, although the writer continues between them", (t) => {
  const path = join(temporaryFolder(), "log.db");
  const writer = openForWriting(path, "fast");
  const reader = openForReading(path);
  t.after(() => {
    reader.close();
    writer.close();
  });
  const appender = new EventAppender(writer, () => ({ read: () => ({ nowMs: 0, movedMs: 0 }), offsetMs: 0 }));
  const blobs = [{ digest: "sha256:0", text: "{}" }];
  appender.appendAll([[{ ...runCreated("a", {}), blobs }]]);
  const read = createLogReader(reader, "reader");
  const jobs = () => [read.run("a")?.jobCounts.QUEUED ?? 0, read.jobs("a", { pageSize: 10 }).entries.length];
  const between = read.snapshot(() => {
    const before = jobs();
    appender.appendAll([[jobQueued("a", 1)]]);
    return [before, jobs()];
  });
  assert.deepEqual(between, [
    [0, 0],
    [0, 0],
  ]);
  assert.deepEqual(jobs(), [1, 1]);
  assert.throws(() => read.snapshot(() => assert.fail("a reason")), /a reason/);
  appender.appendAll([[jobQueued("a", 2)]]);
  assert.deepEqual(jobs(), [2, 2]);
});
