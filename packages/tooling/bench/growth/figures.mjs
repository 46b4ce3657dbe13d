// Shared code of the growth table: its figures, and functions that measure them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode } from "../../build.mjs";
import { ROOT } from "../../install.mjs";
import { processorMs } from "../serving.mjs";

export const work = (value, unit = "ms") => ({ value, unit, grows: "work" });
export const constant = (value, unit = "ms") => ({ value, unit, grows: "constant" });

/** The server's processor time for 100 requests, in milliseconds, after 100 others that warm caches and compile code. */
export async function requests(server, path) {
  const address = server.address + path;
  const { status } = await fetch(address).then(async (answer) => ({
    status: answer.status,
    body: await answer.text(),
  }));
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  const repeat = async () => {
    for (let count = 0; count < 100; count++) await (await fetch(address)).arrayBuffer();
  };
  await repeat();
  return during(server, repeat());
}

/** Processor time of the server from now until the promise is fulfilled, in milliseconds. */
export async function during(server, promise) {
  const before = processorMs(server.pid);
  await promise;
  return processorMs(server.pid) - before;
}

/** Peak memory of a process so far, in MiB. */
export function peakMib(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

/** Processor time of a command of `weft`, in milliseconds. */
export function commandMs(...args) {
  const command = [pinnedNode(), "--disable-proto=delete", join(ROOT, "packages/cli/src/main.ts"), ...args];
  // The second line of `times` is the user and system time of ended children: `1m2.345s 0m0.210s`.
  const script = '"$@" > /dev/null || { echo "exit $?"; exit; }; times';
  const { stdout, stderr } = spawnSync("sh", ["-c", script, "sh", ...command], { encoding: "utf8" });
  if (stdout.startsWith("exit")) throw new Error(`weft ${args.join(" ")}: ${stderr}${stdout}`);
  const times = stdout.trim().split("\n").at(-1);
  return [...times.matchAll(/(\d+)m([\d.]+)s/gu)].reduce(
    (sum, [, min, sec]) => sum + (min * 60 + Number(sec)) * 1000,
    0,
  );
}

export function fill(script, ...args) {
  const path = join(ROOT, "packages/tooling/bench", script);
  const { status, stdout } = spawnSync(pinnedNode(), [path, ...args.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${script} ended with exit code ${status}`);
  return stdout.trim();
}
