import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RunSnapshot } from "@weft/engine/document/read-run-snapshot.ts";
import { LiveView } from "./live-view.ts";

/** A terminal that understands the output of the view: lines, cursor up, and clear to the end. */
class Screen {
  lines: string[] = [];

  write(text: string): void {
    for (const [, up, clear, line] of text.matchAll(/\u001B\[(\d+)A\r|(\u001B\[J)|([^\u001B\n]*)\n/g)) {
      if (up !== undefined) this.#at -= Number(up);
      else if (clear !== undefined) this.lines.length = this.#at;
      else this.lines[this.#at++] = line ?? "";
    }
  }

  #at = 0;
}

// The view reads these fields only.
const run = (state: string, endedMs: number | null) =>
  ({ name: "net", state, createdMs: 0, endedMs }) as RunSnapshot["run"];

describe("LiveView", () => {
  it("replaces its lines, keeps those above, and leaves the last state", async () => {
    const screen = new Screen();
    let snapshot: RunSnapshot | undefined;
    const view = new LiveView(screen, { hasColor: false, nowMs: () => 1000, look: async () => snapshot });
    screen.write("before\n");
    view.start();
    await view.close();
    assert.deepEqual(screen.lines, ["before"]);
    snapshot = { run: run("RUNNING", null), steps: [], left: null, slowest: undefined };
    await view.close();
    view.log("a retry");
    assert.deepEqual(screen.lines, ["before", "a retry", "net: running, 1 s"]);
    snapshot = { ...snapshot, run: run("COMPLETE", 3000) };
    await view.close();
    assert.deepEqual(screen.lines, ["before", "a retry", "net: complete, 3 s"]);
  });
});
