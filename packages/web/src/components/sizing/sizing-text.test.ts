import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sizing } from "@weft/shared/records/insight-record.ts";
import { basisText, sizingRows } from "./sizing-text.ts";

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

test("sizingRows sets requested against used resources", () => {
  assert.deepEqual(sizingRows(SIZING), [
    { name: "Cores", requested: "4", used: ["0.9", "1.1", "2"], jobs: 100 },
    { name: "Memory", requested: "8.0 GiB", used: ["512 MiB", "1.0 GiB", "1.3 GiB"], jobs: 124 },
    { name: "Time", requested: "–", used: undefined, jobs: 0 },
  ]);
});

test("basisText says how many jobs the figures rest on, and what they leave out", () => {
  assert.equal(basisText(SIZING), "Based on 124 jobs in 6 runs. Memory figures from the kernel include cached files.");
  assert.match(basisText({ ...SIZING, memory_sources: ["sampled"] }), /miss short peaks/);
  assert.match(basisText({ ...SIZING, out_of_memory_jobs: 1 }), /1 job ran out of memory/);
  assert.equal(basisText({ ...SIZING, jobs: 0 }), "No measurements yet.");
});
