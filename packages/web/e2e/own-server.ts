import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Server {
  /** Without a trailing slash. */
  readonly url: string;
  /** A sign-in link, where there is a login. */
  readonly signIn: string | undefined;
}

/** A server in a separate process, for tests that stop it. */
export interface ServerProcess extends Server {
  readonly hasExited: () => boolean;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Absent: any free port. */
  readonly port?: number;
  readonly state: string;
  /** Prefix of all paths, such as "/weft"; needs a port. */
  readonly prefix?: string;
  readonly auth?: "none" | "token";
  /** Folder of the catalog. Absent: the shipped one. */
  readonly catalog?: string;
  /** Additional flags. */
  readonly more?: readonly string[];
  /** Folders that results may be copied to, by name. */
  readonly sinks?: Readonly<Record<string, string>>;
}

/** Starts and stops servers in one process, which loads their code once. */
export interface ServerHost {
  /** Resolves when the server has printed its address; one start at a time. */
  serve(options: ServerOptions): Promise<Server>;
  stopAll(): Promise<void>;
  end(): Promise<void>;
}

/** A port that no program uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

const folders: string[] = [];

/** Texts and documents, which are written as JSON, by their paths. */
export type Files = Readonly<Record<string, string | object>>;

/** A folder of this worker, for state, catalogs and data. */
export async function newFolder(files: Files = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "weft-e2e-"));
  folders.push(folder);
  await writeFiles(folder, files);
  return folder;
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
}

/** Runs `weft token` with some words; returns what it prints. */
export function weftToken(state: string, ...words: readonly string[]): string {
  const args = ["packages/cli/bin/weft.cjs", "token", ...words, "--state", state];
  return execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

export function createToken(state: string, name: string, role: string): string {
  return weftToken(state, "create", "--name", name, "--role", role);
}

/** Removes the folders of this worker, once its servers have stopped. A job that is still running may write there. */
export async function removeStateFolders(): Promise<void> {
  await Promise.all(folders.splice(0).map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })));
}

/** Resolves when the server has printed its address. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, ["packages/cli/bin/weft.cjs", ...serveWords(options)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.resume();
  const server = await announced(child, options);
  return { ...server, hasExited: () => child.exitCode !== null, stop: () => ended(child, () => child.kill("SIGTERM")) };
}

export function startServerHost(): ServerHost {
  const host = "packages/web/e2e/server-host.mjs";
  const child = spawn(process.execPath, ["--disable-proto=delete", host], { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  child.stderr?.resume();
  let count = 0;
  return {
    serve(options) {
      const id = (count += 1);
      child.send({ serve: { id, words: serveWords(options) } });
      return announced(child, options, id);
    },
    stopAll() {
      const id = (count += 1);
      child.send({ stop: id });
      return new Promise((resolve) => {
        child.on("message", function heard(message: HostMessage) {
          if (message.stopped !== id) return;
          child.off("message", heard);
          resolve();
        });
      });
    },
    end: () => ended(child, () => child.disconnect()),
  };
}

interface HostMessage {
  readonly stopped?: number;
  readonly ended?: number;
}

function serveWords({ port = 0, state, prefix, catalog, auth = "none", sinks = {}, more = [] }: ServerOptions) {
  const base = prefix === undefined || prefix === "" ? [] : ["--base-url", `http://127.0.0.1:${port}${prefix}`];
  const own = catalog === undefined ? [] : ["--catalog", catalog];
  const places = Object.entries(sinks).flatMap(([name, folder]) => ["--sink", `${name}=${folder}`]);
  // No journey needs containers, and the check of the engines would start one.
  const always = ["--port", String(port), "--state", state, "--auth", auth, "--container", "none"];
  return ["serve", ...always, ...base, ...own, ...places, ...more];
}

/**
 * The text that the server prints once it listens. Rejects with its messages if it ends instead. `id`: identifies the
 * server within a host.
 */
function announced(child: ChildProcess, { auth = "none" }: ServerOptions, id?: number): Promise<Server> {
  const pattern = auth === "none" ? /Weft listening on (\S+)\n/ : /Weft listening on (\S+)\nSign in.* at (\S+)\n/;
  return new Promise((resolve, reject) => {
    let [printed, messages] = ["", ""];
    const onOutput = (chunk: Buffer) => {
      printed += chunk.toString();
      const [, url, signIn] = pattern.exec(printed) ?? [];
      if (url !== undefined) finish(() => resolve({ url, signIn }));
    };
    const onMessages = (chunk: Buffer) => (messages += chunk.toString());
    const onExit = () => finish(() => reject(new Error(`the server ended: ${messages}`)));
    const onMessage = (message: HostMessage) => {
      if (message.ended === id) onExit();
    };
    const finish = (settle: () => void) => {
      child.stdout?.off("data", onOutput);
      child.stderr?.off("data", onMessages);
      child.off("exit", onExit).off("message", onMessage);
      settle();
    };
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onMessages);
    child.on("exit", onExit).on("message", onMessage);
  });
}

function ended(child: ChildProcess, ask: () => void): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    ask();
  });
}
