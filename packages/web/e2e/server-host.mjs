// Runs `weft serve` whenever the parent process requests it. The code is loaded once: a further server starts in a
// fraction of the time that a process of its own takes.
import { EventEmitter } from "node:events";
import { runCli } from "../../cli/src/run-cli.ts";

/** Signals of the servers that run now. */
let signals = new EventEmitter();
let running = [];

process.on("message", async ({ serve, stop }) => {
  if (serve !== undefined) running.push(serveUntilStopped(serve));
  if (stop !== undefined) {
    await stopAll();
    process.send({ stopped: stop });
  }
});
process.on("disconnect", async () => {
  await stopAll();
  process.exit();
});

async function serveUntilStopped({ id, words }) {
  const acts = [];
  const exitCode = await runCli(words, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signals,
    umask: (mask) => process.umask(mask),
    setV8Flags: () => {},
    atEnd: (act) => acts.push(act),
  });
  for (const act of acts) act();
  if (process.connected) process.send({ ended: id, exitCode });
}

async function stopAll() {
  signals.emit("SIGTERM", "SIGTERM");
  await Promise.all(running);
  running = [];
  signals = new EventEmitter();
}
