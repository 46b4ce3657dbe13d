// Preloaded into the pure tier (pure-tests.ts). A forbidden call throws, and the run fails even if the code under
// test catches that; a file that uses more than two seconds of CPU fails the run, too. Node's permission model does not fit:
// it refuses all symbolic links once it restricts writing.
import childProcess from "node:child_process";
import dgram from "node:dgram";
import { tracingChannel } from "node:diagnostics_channel";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { getTestContext } from "node:test";
import { fileURLToPath } from "node:url";
import worker from "node:worker_threads";
import { configureGlobal } from "fast-check";

/**
 * CPU time that a file may use on its thread. On a quiet machine, files need less than half of it: when other processes use
 * the caches and the other thread of a core, the same work counts for up to twice as much. Measuring coverage has no limit,
 * because V8 then counts each part that it executes.
 */
const LIMIT_SECONDS = process.env.NODE_V8_COVERAGE ? Infinity : 2;

/** Functions that change the disk → positions of the paths among its parameters. */
const WRITERS = {
  ...Object.fromEntries(["appendFile", "chmod", "chown", "lchown", "lutimes", "mkdir"].map((name) => [name, [0]])),
  ...Object.fromEntries(
    ["mkdtemp", "rm", "rmdir", "truncate", "unlink", "utimes", "writeFile"].map((name) => [name, [0]]),
  ),
  ...Object.fromEntries(["copyFile", "cp", "link", "symlink"].map((name) => [name, [1]])),
  rename: [0, 1],
};

const faults = new Set();
const secondsOf = new Map();
let running;
let sinceSeconds = threadSeconds();

/** The folder for temporary files. All files that tests leave there disappear with it. */
const temporary = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "weft-pure-"));
const { rmSync: removeFolder } = fs;
// Tests that act as another account must be able to enter it.
fs.chmodSync(temporary, 0o711);
process.env.TMPDIR = temporary;
// Every run generates the same cases: a test that fails only now and then hides its finding.
configureGlobal({ seed: 1 });
guardProcesses();
guardPorts();
guardDisk();
syncBuiltinESMExports();
measureFiles();
process.on("exit", report);

function guardProcesses() {
  for (const name of ["spawnSync", "execFileSync", "execSync"])
    childProcess[name] = () => refuse("starts a process", "machine");
  childProcess.ChildProcess.prototype.spawn = () => refuse("starts a process", "machine");
  worker.Worker = function Worker() {
    refuse("starts a worker thread", "service");
  };
}

function guardPorts() {
  net.Server.prototype.listen = () => refuse("opens a port", "service");
  net.Socket.prototype.connect = () => refuse("connects to a port", "service");
  dgram.Socket.prototype.bind = () => refuse("opens a port", "service");
}

function guardDisk() {
  for (const [name, positions] of Object.entries(WRITERS))
    guardWriter(name, (parameters) => positions.map((position) => parameters[position]));
  guardWriter("open", ([path, flags]) => (isWriting(flags) ? [path] : []));
}

function guardWriter(name, pathsOf) {
  const guarded = (original) =>
    function write(...parameters) {
      for (const path of pathsOf(parameters)) if (!isTemporary(path)) refuse(`changes ${path}`, "machine");
      return original.apply(this, parameters);
    };
  for (const [module, key] of [
    [fs, name],
    [fs, `${name}Sync`],
    [fs.promises, name],
  ])
    module[key] = guarded(module[key]);
}

function isWriting(flags = "r") {
  const { O_WRONLY, O_RDWR, O_CREAT } = fs.constants;
  return typeof flags === "number" ? (flags & (O_WRONLY | O_RDWR | O_CREAT)) !== 0 : /[wa+]/u.test(flags);
}

/** Does not follow links: a test may link to anything, as long as the path that it uses is in the temporary folder. */
function isTemporary(path) {
  if (typeof path === "number" || path instanceof fs.promises.constructor) return true;
  const text = resolve(path instanceof URL ? fileURLToPath(path) : String(path));
  const [, descriptor, rest] = /^(\/proc\/self\/fd\/\d+)(.*)$/u.exec(text) ?? [undefined, undefined, undefined];
  // The file for the reporter's result, or a results file that the command line names.
  if (text === process.env.WEFT_TEST_RESULT || process.execArgv.includes(`--test-reporter-destination=${path}`))
    return true;
  const target = descriptor === undefined ? text : fs.readlinkSync(descriptor) + rest;
  return target === temporary || target.startsWith(temporary + sep) || target === "/dev/null";
}

/** Fails the run even if the code under test expects that a process, a port or a file can fail, and handles the error. */
function refuse(what, tier) {
  const file = getTestContext()?.filePath ?? running;
  const name = file === undefined ? "a test file, while it is loaded," : relative(process.cwd(), file);
  const fault = `${name} ${what}: pure tests may not do that, so name it *.${tier}.test.ts`;
  const error = new Error(fault);
  faults.add(file === undefined ? `${fault}\n${error.stack}` : fault);
  throw error;
}

/** Tests in a process run one after another, so everything that the thread does between two starts belongs to the first. */
function measureFiles() {
  const { start } = tracingChannel("node.test");
  start.subscribe(({ file }) => {
    attributeTime();
    running = file ?? undefined;
  });
}

function attributeTime() {
  const seconds = threadSeconds();
  if (running !== undefined) secondsOf.set(running, (secondsOf.get(running) ?? 0) + seconds - sinceSeconds);
  sinceSeconds = seconds;
}

function threadSeconds() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}

function report() {
  attributeTime();
  removeFolder(temporary, { recursive: true, force: true });
  for (const [file, seconds] of secondsOf)
    if (seconds > LIMIT_SECONDS)
      faults.add(
        `${relative(process.cwd(), file)} used ${seconds.toFixed(1)} s of CPU; a pure test may use ${LIMIT_SECONDS} s`,
      );
  for (const fault of faults) console.error(`weft: ${fault}`);
  if (faults.size > 0) process.exitCode = 1;
}
