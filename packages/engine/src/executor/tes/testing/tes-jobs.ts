import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Reach } from "../../../files/beneath/reach.ts";
import type { TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { DEFAULT_TES, type TesSettings } from "../tes-settings.ts";
import { attemptFoldersOf } from "../../../files/attempt-folder.ts";
import type { Launch } from "../../executor.ts";
import { launchAt } from "../../testing/launch.ts";
import { TesClient } from "../tes-client.ts";
import { tesQueue } from "../tes-system.ts";
import { LocalTesServer, type Deviations } from "./local-tes-server.ts";

/** Contains the folders of all jobs of a test file. */
export const root = temporaryFolder();
const FASTER = 50;

/** A TES server that is closed after the test. */
export async function opened(t: TestContext, deviations: Deviations = {}): Promise<LocalTesServer> {
  const server = await LocalTesServer.open();
  Object.assign(server.deviations, deviations);
  t.after(() => server.close());
  return server;
}

/** An executor connected to a server, with a clock that only its pauses advance; `waiting` resolves when it waits for the first time. */
export function executorAt(t: TestContext, url: string, more: Partial<TesSettings> = {}) {
  const logged: string[] = [];
  const settings = { ...DEFAULT_TES, url, pollMs: 500, latencyMs: 1000, ...more };
  let nowMs = 0;
  const { promise: waiting, resolve: waits } = Promise.withResolvers<void>();
  const executor = tesQueue({
    settings,
    client: new TesClient(settings),
    clock: {
      now: () => nowMs,
      pause: async (ms, signal) => {
        waits();
        const endMs = nowMs + ms;
        await pause(ms / FASTER);
        signal?.throwIfAborted();
        nowMs = Math.max(nowMs, endMs);
      },
    },
    log: (_level, message) => logged.push(message),
    attemptFolders: (place) => attemptFoldersOf(root, place),
  });
  t.after(() => executor.close());
  return { executor, logged, waiting };
}

let count = 0;
/** A job in its own run, with its folder: a shell that runs the given script. */
export function launchOf(command: string, more: Partial<Launch> = {}): Launch {
  const runId = `run${++count}`;
  const folder = join(root, runId, "jobs", "j@1");
  const mounts = Object.entries({ out: "/weft/out", tmp: "/tmp" }).map(([name, target]) => {
    mkdirSync(join(folder, name), { recursive: true });
    return { source: join(folder, name), target, writable: true };
  });
  const reach = new Reach({ regions: [{ folder: root }] });
  const task = { image: "debian:12", workdir: "/weft/out", tmpdir: "/tmp", stdin: undefined, reach, mounts };
  return launchAt(folder, { runId, backend: "tes", argv: ["sh", "-c", command], task, ...more });
}

/** A job whose task waits at a server, which holds it back until it is released. */
export async function heldJob(t: TestContext, command: string, deviations?: Deviations) {
  const server = await opened(t, deviations);
  server.isHeld = true;
  const { executor, logged, waiting } = executorAt(t, server.url);
  const launch = launchOf(command);
  const { exit } = executor.submit(launch);
  await waiting;
  return { server, launch, executor, logged, exit };
}

/** A job that ended at a server. */
export async function endedJob(t: TestContext, command: string, deviations?: Deviations) {
  const server = await opened(t, deviations);
  const launch = launchOf(command);
  return { server, launch, exit: await executorAt(t, server.url).executor.submit(launch).exit };
}

/** The number of requests for the server's list. */
export function listings({ requests }: LocalTesServer): number {
  return requests.filter((request) => request.startsWith("GET /tasks?")).length;
}
