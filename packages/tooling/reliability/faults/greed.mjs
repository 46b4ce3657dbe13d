// Jobs that each take all they can get of one resource, next to a healthy run. Memory has a separate fault.
import { spawnSync } from "node:child_process";
import { mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./fault-site.mjs";

/** `message`: a pattern that the reason of the run must match; undefined: the job ends by itself. */
const GREEDY = {
  processes: { script: "while :; do sleep 1000 & done", message: /at most 4096/ },
  "open files": {
    script: `perl -e 'my @all; while (open my $file, "<", "/dev/null") { push @all, $file } exit(@all > 1000 && @all < 65536 ? 0 : 1)'`,
    message: undefined,
  },
  // Slower than the memory below the disk: what comes between two looks must not fill it.
  log: {
    script: "while :; do yes no room left for others | head -c 32M >&2; sleep 0.15; done",
    message: /to standard error; at most 1024 MiB/,
  },
  disk: { script: "while :; do head -c 4M /dev/zero; sleep 0.15; done", message: /filled the disk/ },
};

/** Only the greedy job ends, and reports why; other runs continue, and the space on the disk is free again. */
export async function greedyJobs(site) {
  const disk = join(site.folder, "disk");
  mkdirSync(disk);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=2g", "none", disk]).status !== 0)
    return "skipped: it cannot mount";
  site.stateFolder = join(disk, "state");
  try {
    await site.start();
    for (const [name, greedy] of Object.entries(GREEDY)) await tryGreed(site, name, greedy);
    await eventually("the disk to be free again", () => {
      const { bavail, blocks } = statfsSync(disk);
      return bavail / blocks > 0.2;
    });
    return undefined;
  } finally {
    await site.server?.stop("SIGKILL");
    spawnSync("umount", ["-l", disk]);
  }
}

async function tryGreed(site, name, { script, message }) {
  const healthy = await site.run("for n in 1 2 3 4 5 6; do sleep 0.5; date; done");
  const greedy = await site.run(script);
  const { state, state_reason: reason } = await site.untilFinal(greedy);
  if (message === undefined)
    site.expect(state === "COMPLETE", `${name}: the run ended as ${state}: ${reason?.message}`);
  else
    site.expect(
      state === "EXECUTOR_ERROR" && reason?.code === "LIMIT_EXCEEDED" && message.test(reason.message),
      `${name}: the run ended as ${state}: ${reason?.code} ${reason?.message}`,
    );
  const otherRun = await site.untilFinal(healthy);
  site.expect(
    otherRun.state === "COMPLETE",
    `${name}: the healthy run ended as ${otherRun.state}: ${otherRun.state_reason?.message}`,
  );
  site.expect((await site.storage()) === "ok", `${name}: the server cannot write`);
}
