import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { errorText } from "../error-text.ts";

export interface ProgramOptions {
  /** Standard input. */
  readonly input?: Uint8Array;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** The environment. Default: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ProgramEnd {
  /** The exit code; null if the program was not found, could not be started, or was killed by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it exits, with its output in memory; a failure is a value, not an exception. */
export type RunProgram = (program: string, args: readonly string[], options?: ProgramOptions) => Promise<ProgramEnd>;

/** Programs run this way (container engines, Slurm's commands) print little. */
export const runProgram: RunProgram = async (program, args, { input, signal, timeoutMs, env } = {}) => {
  const child = spawn(program, [...args], {
    stdio: ["pipe", "pipe", "pipe"],
    killSignal: "SIGTERM",
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(env === undefined ? {} : { env }),
  });
  const ended = Promise.withResolvers<number | null>();
  let failure = "";
  child.on("error", (error) => {
    failure = errorText(error);
    ended.resolve(null);
  });
  child.on("close", (code) => ended.resolve(code));
  // A program that does not read its input reports the reason by its exit code.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended.promise]);
  return { code, stdout, stderr: stderr === "" ? failure : stderr };
};
