import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { claimLives } from "./job-record.ts";
import { startTicksOf } from "./job-record-text.ts";
import { until } from "../testing/until.ts";

const statOf = (pid: number) => readFile(`/proc/${pid}/stat`, "utf8");

it(
  "claimLives treats an unreaped process as dead",
  { skip: process.platform !== "linux" && "only Linux has /proc" },
  async (t) => {
    // The parent becomes another program, which never waits for its child.
    const parent = spawn("/bin/sh", ["-c", "sleep 300 & echo $!; exec sleep 300"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    t.after(() => parent.kill("SIGKILL"));
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    const bootId = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const claim = { pid, bootId, startTicks: startTicksOf(await statOf(pid)) };
    assert.equal(claimLives(claim), true);
    process.kill(pid, "SIGKILL");
    await until(async () => (await statOf(pid)).includes(") Z "));
    assert.equal(claimLives(claim), false);
  },
);
