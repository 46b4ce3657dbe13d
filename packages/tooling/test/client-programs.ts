import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { startServer } from "../bench/serving.mjs";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with all of standard error so far; `true` interrupts the command like Ctrl-C. */
  readonly interruptAt?: (stderr: string) => boolean;
}

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it ends. */
export function run({ command, args, cwd = ROOT, env = {}, interruptAt }: Command): Promise<Result> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  let isInterrupted = false;
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    if (isInterrupted || interruptAt?.(stderr) !== true) return;
    isInterrupted = true;
    child.kill("SIGINT");
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

/** A server with a login, a token of a runner, and a folder for files. */
export interface ClientServer {
  readonly address: string;
  readonly token: string;
  readonly folder: string;
  close(): Promise<void>;
}

export async function openClientServer(): Promise<ClientServer> {
  const folder = await mkdtemp(join(tmpdir(), "weft-clients-"));
  const state = join(folder, "state");
  const server = await startServer(["--state", state, "--auth", "token"]);
  const words = ["token", "create", "--state", state, "--name", "client", "--role", "runner"];
  const created = await run({ command: process.execPath, args: [join(ROOT, "packages/cli/src/main.ts"), ...words] });
  return {
    address: server.address,
    token: created.stdout.trim(),
    folder,
    async close() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Tests the life of a run with a command that takes ADDRESS NETWORK INPUTS.json. */
export function drivesRuns(server: () => ClientServer, client: () => Command): void {
  const drive = async (inputs: object, more: Pick<Command, "interruptAt" | "env"> = {}) => {
    const { address, token, folder } = server();
    const file = join(folder, "inputs.json");
    await writeFile(file, JSON.stringify(inputs));
    const { args, env, ...command } = client();
    const all = [...args, address, "practice-load", file];
    return run({ ...command, args: all, ...more, env: { WEFT_TOKEN: token, ...env, ...more.env } });
  };
  const stateOf = async (stderr: string) => {
    const url = /^run (\S+)$/m.exec(stderr)?.[1] ?? "";
    const answer = await fetch(url, { headers: { authorization: `Bearer ${server().token}` } });
    // The server writes runs in this form.
    return (await answer.json()) as { readonly state: string; readonly outputs: unknown };
  };

  it("starts a run, waits for it, and prints its outputs", async () => {
    const { code, stdout, stderr } = await drive({ count: 2, seconds: 0 });
    assert.equal(code, 0, stderr);
    const { state, outputs } = await stateOf(stderr);
    assert.deepEqual([state, JSON.parse(stdout)], ["COMPLETE", outputs]);
  });

  it("shows what failed jobs wrote", async () => {
    const { code, stderr } = await drive({ count: 2, seconds: 0, fail_index: 1 });
    assert.deepEqual(
      [code, /^job \S+ failed: \S/m.test(stderr), /^EXECUTOR_ERROR$/m.test(stderr)],
      [1, true, true],
      stderr,
    );
  });

  it("reports what is wrong with the inputs, and where", async () => {
    const { code, stdout, stderr } = await drive({ count: "many" });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^refused: .*\/inputs\/count: /m);
  });

  it("reports that the server does not know the token", async () => {
    const { code, stderr } = await drive({ count: 1 }, { env: { WEFT_TOKEN: `${server().token}x` } });
    assert.equal(code, 1);
    assert.match(stderr, /^refused: This token is unknown or was revoked/m);
  });

  it("aborts the run when it is interrupted", async () => {
    const { code, stderr } = await drive(
      { count: 50, seconds: 60 },
      { interruptAt: (text) => /^run \S+\n/m.test(text) },
    );
    assert.equal(code, 1, stderr);
    assert.equal((await stateOf(stderr)).state, "CANCELED");
    assert.match(stderr, /^CANCELED$/m);
  });
}
