import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

/** A test that fails leaves its server behind, and a server that is left keeps the tests from ending. */
const serving = new Set<ChildProcess>();
after(() => serving.forEach((child) => child.kill("SIGTERM")));

export const LAUNCHER = fileURLToPath(new URL("../bin/weft.cjs", import.meta.url));
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export interface Served {
  readonly address: string;
  readonly child: ChildProcess;
  /** Ends the server and waits until it is gone. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a real server as users do and waits for its line. `direct`: without the launcher, so that a signal hits the server itself. */
export async function startServer(
  args: readonly string[],
  options: { readonly direct?: boolean } = {},
): Promise<Served> {
  const command = options.direct === true ? ["--disable-proto=delete", MAIN] : [LAUNCHER];
  const child = spawn(process.execPath, [...command, "serve", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    // Jobs of these tests wait for files beside the state folder and leave their marks there.
    env: { WEFT_SANDBOX: "none", ...process.env },
  });
  serving.add(child);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void gone.then(() => serving.delete(child));
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const address = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /^Weft listening on (\S+)$/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  });
  return {
    address,
    child,
    async stop(signal) {
      child.kill(signal);
      await gone;
    },
  };
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs `weft …` to its end through the launcher. */
export function weft(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runToEnd(process.execPath, [LAUNCHER, ...args], options);
}

/** Runs a program to its end. */
export function runToEnd(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}
