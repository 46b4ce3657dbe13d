import { EventEmitter, once } from "node:events";
import { after } from "node:test";
import { runCli } from "../run-cli.ts";
import { openIo, type Capture, type CommandContext } from "./run-in-process.ts";

export interface Served {
  readonly address: string;
  /** Sends a signal, and waits for the exit code. */
  stop(signal: "SIGINT" | "SIGTERM"): Promise<number>;
}

/** A test that fails does not stop its server, and a running server keeps the tests from ending. */
const serving = new Set<Served>();
after(() => Promise.all([...serving].map((server) => server.stop("SIGTERM"))));

/** Runs `weft serve …` on a free port in this process until it is stopped. */
export async function serve(words: readonly string[], context: Omit<CommandContext, "signals"> = {}): Promise<Served> {
  const signals = new EventEmitter();
  // Jobs of tests wait for files outside of their folders, and leave marker files there.
  const env = { WEFT_SANDBOX: "none", ...(context.env ?? process.env) };
  const { io, stdout, stderr, end } = openIo({ ...context, env, signals });
  const code = runCli(["serve", "--port", "0", ...words], io).finally(end);
  const failed = code.then((early): never => {
    throw new Error(`the server ended with ${early}: ${stderr.text}`);
  });
  const address = await Promise.race([listeningAddress(stdout), failed]);
  const served: Served = {
    address,
    stop(signal) {
      signals.emit(signal, signal);
      return code;
    },
  };
  serving.add(served);
  // The end of a server that listens is not a failure.
  failed.catch(() => serving.delete(served));
  return served;
}

async function listeningAddress(stdout: Capture): Promise<string> {
  for (;;) {
    const address = /^Weft listening on (\S+)$/m.exec(stdout.text)?.[1];
    if (address !== undefined) return address;
    await once(stdout.changes, "text");
  }
}
