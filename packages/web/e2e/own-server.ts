import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server beside the common one, for tests that stop it or give it another address. */
export interface OwnServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** A sign-in link, where there is a login. */
  readonly signIn: string | undefined;
  readonly hasExited: () => boolean;
  stop(): Promise<void>;
}

export interface OwnServerOptions {
  /** 0: any free port; only without a prefix and a login. */
  readonly port: number;
  readonly state: string;
  /** Path below which everything stands: "" or "/weft". */
  readonly prefix: string;
  readonly auth?: "none" | "token";
  /** Folder of the catalog; absent for the one that is shipped. */
  readonly catalog?: string;
  /** Further flags. */
  readonly more?: readonly string[];
  /** Folders that results may be copied to, by name. */
  readonly sinks?: Readonly<Record<string, string>>;
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

export function newStateFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "weft-e2e-own-"));
}

/** Resolves when the server has printed its address. */
export async function startServer(options: OwnServerOptions): Promise<OwnServer> {
  const { port, state, prefix, catalog, auth = "none", sinks = {}, more = [] } = options;
  const wanted = `http://127.0.0.1:${port}${prefix}`;
  const base = prefix === "" ? [] : ["--base-url", wanted];
  const own = catalog === undefined ? [] : ["--catalog", catalog];
  const places = Object.entries(sinks).flatMap(([name, folder]) => ["--sink", `${name}=${folder}`]);
  const flags = ["--port", String(port), "--state", state, "--auth", auth, ...base, ...own, ...places, ...more];
  const args = ["packages/cli/bin/weft.cjs", "serve", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const isOpen = auth === "none";
  const [, found] = await printed(child, isOpen ? /Weft listening on (\S+)\n/ : /^Sign in.* at (\S+)\n/m);
  const url = port === 0 && isOpen && found !== undefined ? found : wanted;
  return { url, signIn: isOpen ? undefined : found, hasExited: () => child.exitCode !== null, stop: () => stop(child) };
}

function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (match !== null) resolve(match);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with exit code ${code}`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
