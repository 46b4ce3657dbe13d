import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface ProgramOptions {
  /** Given as standard input. */
  readonly input?: Uint8Array;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Absent: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ProgramEnd {
  /** Null where it was not found, could not be started, or was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end with its output in memory; a program that fails is a value. */
export type RunProgram = (program: string, args: readonly string[], options?: ProgramOptions) => Promise<ProgramEnd>;

/** What is run so (container engines, Slurm's commands) prints little. */
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
    failure = error.message;
    ended.resolve(null);
  });
  child.on("close", (code) => ended.resolve(code));
  // A program that does not read its input says by its code what it thinks of it.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended.promise]);
  return { code, stdout, stderr: stderr === "" ? failure : stderr };
};
