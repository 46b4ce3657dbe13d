// npm run test:fresh: runs the commands of the README on a fresh machine, a bare Debian 12 with only Node 20, npm and git, as
// root and as an ordinary account.
//   --as root|user|both     accounts that run the commands (both)
//   --with none|all|NAMES   what else is installed: bubblewrap, podman, slurm, separated by commas (none)
//   --command COMMAND       instead of the README's; may be repeated
// The folder dist/fresh keeps the whole output of each command.
import { spawnSync } from "node:child_process";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { whyNoBareDebian } from "../bare-debian.mjs";
import { ROOT } from "../install.mjs";
import { PROGRAMS } from "../suite/debian.mjs";
import { commitHere, copyMachine, makeMachine, startIn } from "./fresh-machine.mjs";

const EXTRAS = ["bubblewrap", "podman", "slurm"];
const ACCOUNTS = { root: ["root"], user: ["newcomer"], both: ["root", "newcomer"] };
const LOGS = join(ROOT, "dist/fresh");
const CLOSING_LINES = 40;

const { accounts, extras, commands } = readOptions();
const why = whyNoBareDebian();
if (why !== undefined) {
  console.error(`test:fresh: a fresh machine ${why}`);
  process.exit(69);
}
const folder = mkdtempSync(join(tmpdir(), "weft-fresh-"));
const stop = new AbortController();
let stoppedBy;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(name, () => {
    stoppedBy = name;
    stop.abort();
  });
try {
  process.exitCode = (await tryCommands()) ? 0 : 1;
} catch (error) {
  say(stoppedBy === undefined ? `failed: ${error.message}` : "stopped");
  process.exitCode = stoppedBy === undefined ? 1 : 128 + constants.signals[stoppedBy];
} finally {
  // Nothing is mounted below this folder any more: the mounts of a machine end with its first process.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function tryCommands() {
  mkdirSync(LOGS, { recursive: true });
  nameCommit();
  const bare = join(folder, "bare");
  say(`making a bare Debian with Node 20, npm, git${extras.map((name) => `, ${name}`).join("")}`);
  await makeMachine(
    bare,
    extras.flatMap((name) => PROGRAMS[name].packages),
    stop.signal,
  );
  const results = [];
  for (const account of accounts) {
    const machine = { root: join(folder, account), account, signal: stop.signal };
    await copyMachine(bare, machine);
    for (const command of commands) results.push(await tryCommand(machine, command));
    rmSync(machine.root, { recursive: true, force: true });
  }
  for (const { name, closing } of results.filter((result) => result.closing.length > 0))
    console.log(`\n── ${name} ──\n${closing.join("\n")}`);
  console.log("");
  for (const { name, succeeded, seconds, log } of results)
    say(`${name}: ${succeeded ? "succeeded" : "FAILED"} after ${seconds} s (${log})`);
  return results.every(({ succeeded }) => succeeded);
}

function nameCommit() {
  const changed = spawnSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }).stdout.trim();
  say(`commit ${commitHere().slice(0, 8)}${changed === "" ? "" : "; uncommitted changes are not tried"}`);
}

/** Prints Weft's reports while the command runs, and keeps the rest in a file. */
async function tryCommand(machine, command) {
  const { account } = machine;
  const name = `${command}, as ${account === "root" ? "root" : "an ordinary account"}`;
  const log = join(LOGS, `${account}-${command.replaceAll(/[^a-z0-9]+/gu, "-")}.log`);
  say(name);
  const startMs = performance.now();
  // The fresh machine shares this machine's network, where the default port may be in use.
  const child = startIn(machine, command, isServer(command) ? { WEFT_PORT: "0" } : {});
  const file = createWriteStream(log);
  const lines = [];
  let answered = false;
  const follow = async (line) => {
    file.write(`${line}\n`);
    lines.push(line);
    if (line.startsWith("weft:") || line.startsWith("Weft ")) console.log(`  ${line}`);
    const address = isServer(command) ? /listening on (http:\S+)/.exec(line)?.[1] : undefined;
    if (address === undefined) return;
    answered = await answers(address);
    // Signals all of its processes, as Ctrl-C does.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", follow);
  child.once("error", () => {}); // if it is stopped; `close` follows
  const status = await new Promise((resolve) => child.once("close", resolve));
  file.end();
  stop.signal.throwIfAborted();
  const succeeded = isServer(command) ? answered : status === 0;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  return { name, succeeded, seconds, log, closing: closingLines(lines, succeeded) };
}

/** Failures and the list of skipped tests, or the last lines of a command that ended without a summary. */
function closingLines(lines, succeeded) {
  const start = lines.lastIndexOf("Skipped:");
  if (start < 0) return succeeded ? [] : lines.slice(-CLOSING_LINES);
  return [...lines.filter((line) => line.startsWith("✗")), ...lines.slice(start)];
}

function isServer(command) {
  return command.startsWith("npm start");
}

async function answers(address) {
  const { status } = await fetch(address).catch((error) => ({ status: error.message }));
  console.log(`  GET ${address}: ${status}`);
  return status === 200;
}

function readOptions() {
  const text = (value) => ({ type: "string", default: value });
  const { values } = parseArgs({
    options: { as: text("both"), with: text("none"), command: { type: "string", multiple: true } },
  });
  const named = { none: [], all: EXTRAS }[values.with] ?? values.with.split(",");
  const unknown = named.find((name) => !EXTRAS.includes(name));
  if (!(values.as in ACCOUNTS) || unknown !== undefined) {
    console.error("usage: npm run test:fresh -- [--as root|user|both] [--with none|all|NAME,NAME] [--command COMMAND]");
    process.exit(64);
  }
  return { accounts: ACCOUNTS[values.as], extras: named, commands: values.command ?? commandsOfReadme() };
}

/** The lines of the first block of the section "Start", without their comments. */
function commandsOfReadme() {
  const [, block = ""] =
    /^## Start$[\s\S]*?^```sh[^\n]*\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
  const found = block
    .split("\n")
    .map((line) => line.replace(/#.*$/, "").trim())
    .filter((line) => line !== "");
  if (found.length !== 2) throw new Error(`README.md names ${found.length} commands to start with, not two`);
  return found;
}

function say(text) {
  console.log(`test:fresh: ${text}`);
}
