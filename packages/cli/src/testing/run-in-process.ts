import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import type { CommandIo } from "../io/command-io.ts";
import { runCwlRunner } from "../cwl-runner/run-cwl-runner.ts";
import { runCli } from "../run-cli.ts";
import { requirePlainWords } from "@weft/engine/testing/require-plain-words.ts";

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Differences from a command line without input, in the folder and with the environment of the test. */
export interface CommandContext {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  /** The emitter of the command's signals. */
  readonly signals?: EventEmitter;
}

/** Runs `weft …` in this process, without a launcher. */
export function weft(words: readonly string[], context: CommandContext = {}): Promise<CommandResult> {
  return runInProcess((io) => runCli(words, io), context);
}

/** Runs `weft …`, which has to succeed. */
export async function expectSuccess(words: readonly string[], context: CommandContext = {}): Promise<CommandResult> {
  const result = await weft(words, context);
  assert.equal(result.code, 0, result.stdout + result.stderr);
  return result;
}

/** Runs `weft …`, which has to exit with this code and this message. */
export async function expectExit(
  words: readonly string[],
  code: number,
  message: RegExp,
  context: CommandContext = {},
): Promise<CommandResult> {
  const result = await weft(words, context);
  assert.equal(result.code, code, result.stderr);
  assert.match(result.stderr, message);
  return result;
}

/** Runs `cwl-runner …` in this process, without a launcher. */
export function cwlRunner(words: readonly string[], context: CommandContext = {}): Promise<CommandResult> {
  return runInProcess((io) => runCwlRunner(words, io), context);
}

async function runInProcess(run: (io: CommandIo) => Promise<number>, command: CommandContext): Promise<CommandResult> {
  const { io, stdout, stderr, end } = openIo(command);
  try {
    const code = await run(io);
    requirePlainWords(stderr.text);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    end();
  }
}

interface TestIo {
  readonly io: CommandIo;
  readonly stdout: Capture;
  readonly stderr: Capture;
  /** Undoes what the command changed in this process. */
  readonly end: () => void;
}

export function openIo({ cwd, env, stdin, signals }: CommandContext = {}): TestIo {
  const [stdout, stderr] = [new Capture(), new Capture()];
  const umask = process.umask();
  const acts: (() => void)[] = [() => process.umask(umask)];
  const io: CommandIo = {
    stdin: Readable.from(stdin === undefined ? [] : [stdin]),
    stdout,
    stderr,
    env: env ?? process.env,
    cwd: cwd ?? process.cwd(),
    signals: signals ?? new EventEmitter(),
    umask: (mask) => process.umask(mask),
    setV8Flags: () => {},
    atEnd: (act) => acts.push(act),
  };
  return { io, stdout, stderr, end: () => acts.forEach((act) => act()) };
}

/** Everything that was written, as text. */
export class Capture extends Writable {
  text = "";
  readonly changes = new EventEmitter();

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    this.changes.emit("text");
    done();
  }
}
