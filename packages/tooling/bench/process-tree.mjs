// CPU time of a command together with everything that it starts. Weft's jobs outlive the shell that forks them, so the
// times that a shell prints miss them; reap.pl adopts them. A server is measured while it runs, from /proc.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const REAPER = ["perl", join(import.meta.dirname, "reap.pl")];

/** Reports what reap.pl reports, but misses processes whose parents ended before them. */
const SHELL = ["sh", "-c", 'echo started >&3; "$@" 3>&-; echo "exited $?" >&3; times >&3', "bench"];

const CORES = availableParallelism();

let adopts;

/** The command that starts another one and adopts its orphans; empty if none can. Descriptor 3 must be open. */
export function adopting() {
  adopts ??= canAdopt();
  return adopts ? REAPER : [];
}

function canAdopt() {
  const [command, ...args] = [...REAPER, "true"];
  return spawnSync(command, args, { stdio: ["ignore", "ignore", "ignore", "pipe"] }).status === 0;
}

/**
 * Runs a command until it ends. Returns wall-clock milliseconds until the command ends, CPU milliseconds of it and all
 * its descendants, and the idle shares of the cores. Rejects when it fails.
 */
export async function measureTree(command, options = {}) {
  const starter = adopting().length > 0 ? adopting() : SHELL;
  const [program, ...args] = [...starter, ...command];
  const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe", "pipe"] });
  const seen = { errors: "" };
  child.stderr.on("data", (chunk) => (seen.errors += chunk));
  createInterface({ input: child.stdio[3] }).on("line", (line) => {
    if (line === "started") Object.assign(seen, { startMs: performance.now(), idleOf: watchMachine() });
    else if (line.startsWith("exited "))
      Object.assign(seen, { code: line.slice(7), endMs: performance.now(), machineIdle: seen.idleOf() });
    else seen.cpuMs = cpuOf(line);
  });
  await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (seen.code !== "0") throw new Error(`${command.join(" ")} ended with ${seen.code}: ${seen.errors}`);
  return withIdle(seen.endMs - seen.startMs, seen.cpuMs, seen.machineIdle);
}

/** Resources that a running process and its descendants use during `work`. */
export async function measureWhile(pid, work) {
  const [idleOf, startMs, usedMs] = [watchMachine(), performance.now(), treeCpuMs(pid)];
  await work();
  const wallMs = performance.now() - startMs;
  const machineIdle = idleOf();
  return withIdle(wallMs, treeCpuMs(pid) - usedMs, machineIdle);
}

/** `ownIdle`: share of the cores that this work left idle or to others; `machineIdle`: unused share. */
function withIdle(wallMs, cpuMs, machineIdle) {
  return { wallMs, cpuMs, ownIdle: 1 - cpuMs / (wallMs * CORES), machineIdle };
}

/** A line of a shell's `times`; the last one holds user and system time of the children. */
function cpuOf(line) {
  return [...line.matchAll(/(\d+)m([\d.]+)s/gu)].reduce(
    (sum, [, min, s]) => sum + Number(min) * 60_000 + Number(s) * 1000,
    0,
  );
}

/** User and system time of a process, its living descendants, and the ended ones that these have waited for. */
function treeCpuMs(root) {
  const children = new Map();
  const ticks = new Map();
  for (const name of entries("/proc")) {
    const fields = /^\d+$/u.test(name) ? statOf(name) : undefined;
    if (fields === undefined) continue;
    const [pid, parent] = [Number(name), Number(fields[1])];
    ticks.set(
      pid,
      fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0),
    );
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const sumOf = (pid) => (children.get(pid) ?? []).reduce((sum, child) => sum + sumOf(child), ticks.get(pid) ?? 0);
  return sumOf(root) * 10;
}

function entries(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no /proc on this system
  }
}

/** The fields after the program's name; undefined: it has just ended. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  } catch {
    return undefined;
  }
}

/** Returns a function that returns the idle share of the cores' time since this call; undefined without /proc. */
function watchMachine() {
  const before = machineTicks();
  return () => {
    const after = machineTicks();
    if (before === undefined || after === undefined) return undefined;
    return (after.idle - before.idle) / (after.all - before.all);
  };
}

function machineTicks() {
  try {
    const [line] = readFileSync("/proc/stat", "utf8").split("\n");
    // user nice system idle iowait irq softirq steal; guest time is part of user.
    const ticks = line.trim().split(/\s+/u).slice(1, 9).map(Number);
    return { idle: ticks[3] + ticks[4], all: ticks.reduce((sum, count) => sum + count, 0) };
  } catch {
    return undefined;
  }
}
