import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sizing } from "@weft/shared/records/insight-record.ts";
import type { ResourcesUsed } from "@weft/shared/records/job-record.ts";
import { basisText, sizingRows, usedText } from "./resource-text.ts";

const GIB = 1024 ** 3;
const SIZING: Sizing = {
  jobs: 124,
  runs: 6,
  requested: { cores: 4, ram_bytes: 8 * GIB },
  used: {
    cores: { jobs: 100, p50: 0.92, p95: 1.08, max: 2 },
    ram_bytes: { jobs: 124, p50: 0.5 * GIB, p95: GIB, max: 1.25 * GIB },
    time_ms: null,
  },
  memory_sources: ["cgroup"],
  out_of_memory_jobs: 0,
  suggestion: null,
};

const none: ResourcesUsed = {
  ...{ cpu_ms: null, max_rss_bytes: null, memory_source: null, io_read_bytes: null, io_write_bytes: null },
};
const MIB = 1024 * 1024;

test("sizingRows sets requested against used resources", () => {
  assert.deepEqual(sizingRows(SIZING), [
    { name: "Cores", requested: "4", used: ["0.9", "1.1", "2"], jobs: 100 },
    { name: "Memory", requested: "8.0 GiB", used: ["512 MiB", "1.0 GiB", "1.3 GiB"], jobs: 124 },
    { name: "Time", requested: "–", used: undefined, jobs: 0 },
  ]);
});

test("basisText contains the number of measured jobs and of omitted ones", () => {
  assert.equal(basisText(SIZING), "Based on 124 jobs in 6 runs. Memory figures from the kernel include cached files.");
  assert.match(basisText({ ...SIZING, memory_sources: ["sampled"] }), /miss short peaks/);
  assert.match(basisText({ ...SIZING, out_of_memory_jobs: 1 }), /1 job ran out of memory/);
  assert.equal(basisText({ ...SIZING, jobs: 0 }), "No measurements yet.");
});

test("usedText shows measured values, the source of memory figures, and the share of the request", () => {
  const cases: [Partial<ResourcesUsed>, number | null, string][] = [
    [{}, 256 * MIB, "not measured"],
    [{ cpu_ms: 2000 }, 256 * MIB, "2.0 s CPU"],
    [{ max_rss_bytes: 64 * MIB, memory_source: "sampled" }, null, "peak memory 64 MiB"],
    [
      { max_rss_bytes: 64 * MIB, memory_source: "cgroup" },
      256 * MIB,
      "peak memory 64 MiB (25% of request), including cached files",
    ],
    [{ cpu_ms: 2000, io_read_bytes: 3 * MIB, io_write_bytes: 0 }, 0, "2.0 s CPU; 3.0 MiB read, 0 B written"],
  ];
  for (const [used, requestedBytes, expected] of cases)
    assert.equal(usedText({ ...none, ...used }, requestedBytes), expected);
});
