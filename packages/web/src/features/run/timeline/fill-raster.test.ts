import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobState } from "@weft/shared/records/state.ts";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { jobTimes } from "../../../testing/job-times.ts";
import { type Raster, fillRaster } from "./fill-raster.ts";
import { PIECE_KINDS } from "./timeline-jobs.ts";

const ended = (startedMs: number, endedMs: number, state: JobState = "COMPLETE"): JobTimes =>
  jobTimes({ state, queuedMs: startedMs, startedMs, endedMs });

function draw(jobs: readonly JobTimes[], width: number, height: number, rows: number): string[] {
  const raster: Raster = { width, height, pixels: new Uint8Array(width * height) };
  fillRaster(raster, jobs, { fromMs: 0, toMs: 100, top: 0, bottom: rows }, 100);
  return Array.from({ length: height }, (_, y) =>
    [...raster.pixels.slice(y * width, (y + 1) * width)].map((code) => PIECE_KINDS[code - 1]?.[0] ?? ".").join(""),
  );
}

test("each job has its row", () => {
  assert.deepEqual(draw([ended(0, 50), ended(50, 100)], 10, 4, 2), [
    "sssss.....",
    "sssss.....",
    ".....sssss",
    ".....sssss",
  ]);
});

test("waiting is a thin line", () => {
  assert.deepEqual(draw([{ ...ended(50, 100), queuedMs: 0 }], 10, 4, 1), [
    ".....sssss",
    "wwwwwsssss",
    ".....sssss",
    ".....sssss",
  ]);
});

test("merges bars thinner than a pixel, and shows the worst state", () => {
  const many = Array.from({ length: 1000 }, (_, n) =>
    ended(n / 10, n / 10 + 0.05, n === 555 ? "EXECUTOR_ERROR" : "COMPLETE"),
  );
  assert.deepEqual(draw(many, 10, 1, 1000), ["sssssfssss"]);
  assert.deepEqual(draw([ended(33, 33)], 10, 1, 1), ["...s......"]);
});

test("leaves out spans outside of the view", () => {
  assert.deepEqual(draw([ended(200, 300), ended(-50, -10)], 5, 2, 2), [".....", "....."]);
});
