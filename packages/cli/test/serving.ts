import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Servers of tests that failed, which would outlive this process. */
const serving = new Set<ChildProcess>();
process.once("exit", () => serving.forEach((child) => child.kill("SIGTERM")));

export const LAUNCHER = fileURLToPath(new URL("../bin/weft.cjs", import.meta.url));
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export interface Served {
  readonly address: string;
  readonly child: ChildProcess;
  /** Stops the server and waits until its process has exited. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a server in a process of its own, without the launcher, so that a signal reaches the server itself. `probe`: the
 * text of a module that it loads first, with a channel to this process.
 */
export async function startServer(
  args: readonly string[],
  { probe }: { readonly probe?: string } = {},
): Promise<Served> {
  const first = probe === undefined ? [] : [`--import=data:text/javascript,${encodeURIComponent(probe)}`];
  const child = spawn(process.execPath, ["--disable-proto=delete", ...first, MAIN, "serve", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "pipe", ...(probe === undefined ? [] : (["ipc"] as const))],
    // Jobs of these tests wait for files outside of the state folder and leave marker files there.
    env: { WEFT_SANDBOX: "none", ...process.env },
  });
  serving.add(child);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void gone.then(() => serving.delete(child));
  return {
    address: await listeningAddress(child),
    child,
    async stop(signal) {
      child.kill(signal);
      await gone;
    },
  };
}

function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [printed, errors] = ["", ""];
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /^Weft listening on (\S+)$/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  });
}

/** Runs a program until it ends. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env"> = {},
) {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}
