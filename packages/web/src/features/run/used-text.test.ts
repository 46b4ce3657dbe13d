import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResourcesUsed } from "@weft/shared/records/job-record.ts";
import { usedText } from "./used-text.ts";

const none: ResourcesUsed = {
  ...{ cpu_ms: null, max_rss_bytes: null, memory_source: null, io_read_bytes: null, io_write_bytes: null },
};
const MIB = 1024 * 1024;

test("usedText tells what was measured, of memory how, and what part that is of the request", () => {
  const cases: [Partial<ResourcesUsed>, number | null, string][] = [
    [{}, 256 * MIB, "not measured"],
    [{ cpu_ms: 2000 }, 256 * MIB, "2.0 s CPU"],
    [{ max_rss_bytes: 64 * MIB, memory_source: "sampled" }, null, "peak memory 64 MiB"],
    [
      { max_rss_bytes: 64 * MIB, memory_source: "cgroup" },
      256 * MIB,
      "peak memory 64 MiB (25 % of request), including cached files",
    ],
    [{ cpu_ms: 2000, io_read_bytes: 3 * MIB, io_write_bytes: 0 }, 0, "2.0 s CPU; 3.0 MiB read, 0 B written"],
  ];
  for (const [used, requestedBytes, expected] of cases)
    assert.equal(usedText({ ...none, ...used }, requestedBytes), expected);
});
