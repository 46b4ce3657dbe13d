import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { EventData, WeftEvent } from "@weft/shared/events/event.ts";
import { partialEvent } from "@weft/shared/testing/partial-event.ts";
import { createProgressLog, type Detail } from "./progress-log.ts";

const started = (data: Partial<EventData<"job.started">>) =>
  partialEvent("job.started", { time: "2026-01-01T05:00:00.000Z", job_id: "smooth" }, data);

function linesOf(event: WeftEvent, detail: Detail = "normal"): readonly string[] {
  const lines: string[] = [];
  createProgressLog((line) => lines.push(line), detail)([event], { failedJob: () => undefined });
  return lines;
}

describe("a job that starts", () => {
  const podman = { engine: "podman", version: "4.3", image: "debian:12", digest: null } as const;
  const none = { engine: "none", image: "debian:12", why: "containers are turned off" } as const;
  const cases: readonly [string, Partial<EventData<"job.started">>, string][] = [
    ["without a container prints only that it started", {}, "smooth started"],
    ["in a container prints the engine and image", { container: podman }, "smooth started in podman (debian:12)"],
    ["without the container that it requested prints no container", { container: none }, "smooth started"],
  ];
  for (const [name, data, expected] of cases)
    it(name, () => assert.deepEqual(linesOf(started(data)), [`[05:00:00.000] ${expected}`]));

  it("prints nothing in quiet mode", () => assert.deepEqual(linesOf(started({}), "quiet"), []));

  it("prints its command line in debug mode", () => {
    const command = { argv: ["echo", "a b"], stdout: "out.txt", workdir: "/w", env: {} };
    assert.deepEqual(linesOf(started({ command }), "debug"), [
      "[05:00:00.000] smooth started",
      "  smooth: echo 'a b' > out.txt",
    ]);
  });
});

describe("a run that ends", () => {
  const ended = (data: Partial<EventData<"run.ended">>) => partialEvent("run.ended", {}, data);
  const kill = (processes_found: number): RecordedKill => ({
    ...{ asked_ms: 0, confirmed_ms: 5, processes_found, processes_killed: 0, evidence: [], signals: [] },
  });

  for (const [state, found, isReported] of [
    ["SYSTEM_ERROR", 0, false],
    ["EXECUTOR_ERROR", 0, false],
    ["EXECUTOR_ERROR", 2, true],
    ["CANCELED", 0, true],
  ] as const)
    it(`${isReported ? "says" : "does not say"} that it stopped ${found} processes if it is ${state}`, () => {
      const lines = linesOf(ended({ state, kill: kill(found) })).join("\n");
      assert.equal(/aborted: \d process/.test(lines), isReported, lines);
    });

  it("says in one line what was stopped and how that was verified, and claims nothing unproven", () => {
    const abort = (change: Partial<RecordedKill>) =>
      linesOf(ended({ state: "CANCELED", kill: { ...kill(3), ...change } }))[0];
    assert.equal(
      abort({ processes_killed: 1, evidence: ["groups"] }),
      "weft: aborted: 3 processes stopped, 1 of them killed; verified after 5 ms: the process group is gone",
    );
    assert.equal(
      abort({ processes_found: 1, confirmed_ms: null }),
      "weft: aborted: 1 process stopped; not yet verified that all have stopped",
    );
  });
});

describe("a job that was ready before its turn", () => {
  const ended = (data: Partial<EventData<"job.ended">>) =>
    partialEvent("job.ended", { time: "2026-01-01T05:00:01.000Z", job_id: "smooth" }, { state: "COMPLETE", ...data });
  const linesOfAll = (events: readonly WeftEvent[]) => {
    const lines: string[] = [];
    createProgressLog((line) => lines.push(line.slice(15)), "normal")(events, { failedJob: () => undefined });
    return lines;
  };

  it("has started if it ends at once", () => {
    assert.deepEqual(linesOfAll([started({ ahead: true }), ended({ ran_ms: 3 })]), [
      "smooth started",
      "smooth complete",
    ]);
  });

  it("has started once if its first attempt fails at once", () => {
    const waiting = { code: "WAITING", message: "attempt 1 failed" } as const;
    const retrying = partialEvent(
      "job.retrying",
      { time: "2026-01-01T05:00:01.000Z", job_id: "smooth" },
      { attempt: 1, ran_ms: 3, waiting },
    );
    const running = partialEvent("job.running", { time: "2026-01-01T05:00:02.000Z", job_id: "smooth" });
    assert.deepEqual(linesOfAll([started({ ahead: true }), retrying, started({}), running]), [
      "smooth started",
      "smooth attempt 1 failed",
      "smooth started",
    ]);
  });

  it("has not started if it ended without running", () => {
    assert.deepEqual(linesOfAll([started({ ahead: true }), ended({ state: "CANCELED" })]), ["smooth canceled"]);
  });
});
