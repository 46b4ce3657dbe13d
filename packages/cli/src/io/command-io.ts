import type { Readable, Writable } from "node:stream";

/** A stream that may be a terminal. */
type MaybeTerminal<Stream> = Stream & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** The environment of a command line, apart from the folders that it names. */
export interface CommandIo {
  readonly stdin: MaybeTerminal<Readable>;
  readonly stdout: MaybeTerminal<Writable>;
  readonly stderr: MaybeTerminal<Writable>;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Absolute path of the folder to which relative paths refer. */
  readonly cwd: string;
  /** A signal has its usual effect until it has a listener. */
  readonly signals: SignalSource;
  /** Sets the permissions that new files lack, and returns the previous setting. */
  readonly umask: (mask: number) => number;
  /** Changes how V8 works, for the whole process. */
  readonly setV8Flags: (flags: string) => void;
  /** Registers an action that runs when the command ends, for whatever reason. */
  readonly atEnd: (act: () => void) => void;
}

export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM", listener: (signal: string) => void): unknown;
}

/** Writes a line to standard error. */
export function writeLine({ stderr }: Pick<CommandIo, "stderr">, line: string): void {
  stderr.write(`${line}\n`);
}

/** A terminal also signals the launcher, which passes the signal on: signals after the first have no effect. */
export function abortOnSignals({ signals }: Pick<CommandIo, "signals">): AbortSignal {
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) signals.on(signal, () => abort.abort());
  return abort.signal;
}
