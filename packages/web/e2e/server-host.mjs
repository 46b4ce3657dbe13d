// Runs `weft serve` as often as the parent process asks for it. The code is loaded once: a further server starts in a
// fraction of the time that a process of its own takes.
import { runCli } from "../../cli/src/run-cli.ts";

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
  const exitCode = await runCli(words);
  if (process.connected) process.send({ ended: id, exitCode });
}

/** A server stops at the first SIGTERM and ends its process at the second, so stopped servers must not hear the next one. */
async function stopAll() {
  process.emit("SIGTERM", "SIGTERM");
  await Promise.all(running);
  running = [];
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
}
