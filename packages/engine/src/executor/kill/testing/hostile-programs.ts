import { readdirSync, readFileSync } from "node:fs";
import { until } from "../../../testing/until.ts";

/**
 * Programs that do everything to outlive their job. Tests find them independently: each carries a token in its name.
 */

/** `$leaf` sleeps under the token's name. */
export const LEAF = `export leaf='exec -a "$0" sleep 300'\n`;
const CLOSED = "</dev/null >/dev/null 2>&1";

/** The command, and how many of its processes carry the token. */
export const PROGRAMS: readonly [name: string, script: string, count: number][] = [
  ["is in a session of its own", `setsid bash -c "$leaf" "$0" & wait`, 1],
  ["has cleared its environment and left its session", `env -i setsid bash -c "$leaf" "$0" & wait`, 1],
  [
    "is a daemon: forked twice, without environment, files or folder, and orphaned",
    `cd /; (env -i setsid bash -c "($leaf) & " "$0" ${CLOSED} &) ; exit 0`,
    1,
  ],
  [
    "is deaf to every polite signal",
    `trap '' TERM HUP INT QUIT USR1; env -i setsid bash -c "trap '' TERM; $leaf" "$0" & wait`,
    1,
  ],
  ["has stopped itself", `env -i setsid bash -c 'exec -a "$0" bash -c "kill -STOP \\$\\$; sleep 300"' "$0" & wait`, 1],
  [
    "starts others that have cleared their environment, faster than they end",
    `for n in 1 2 3; do env -i setsid bash -c 'while :; do (exec -a "$0" sleep 1) & (exec -a "$0" sleep 0.3); done' "$0" & done; wait`,
    4,
  ],
];

/** The process ids of sleepers with the token. */
export function sleepers(token: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && procText(name, "cmdline").startsWith(token))
    .map(Number);
}

/** Empty if the process has ended. */
export function procText(pid: string, file: "cmdline" | "comm"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

export async function untilThere(token: string, wanted: number): Promise<void> {
  await until(() => sleepers(token).length >= wanted);
}
