import { auditFolderPath } from "@weft/api/audit/audit-folder.ts";
import { createServer } from "@weft/api/create-server.ts";
import { DEFAULT_RATES, NO_RATES, type RequestRates } from "@weft/api/limits/rate-limits.ts";
import type { Rate } from "@weft/api/limits/rate-limiter.ts";
import { ServerConfigurationError } from "@weft/api/address/server-configuration-error.ts";
import type { RunningServer, ServerOptions } from "@weft/api/server-options.ts";
import type { ActAs } from "@weft/engine/port/caller.ts";
import type { Engine } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { openEngine } from "@weft/engine/app/open-engine.ts";
import { allowHosts } from "@weft/engine/files/remote/http-policy.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import { writeLine, type CommandIo } from "../io/command-io.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import type { Log } from "@weft/engine/log.ts";
import { createLog } from "../output/log-line.ts";
import { machineSetting } from "../settings/machine-setting.ts";
import { existing, readDataFolders } from "../settings/data-folders.ts";
import {
  notificationSettings,
  readAccess,
  readSinkFolders,
  runNameSettings,
  wesDocumentSettings,
  type Access,
} from "../settings/server-settings.ts";
import type { Settings } from "../settings/read-settings.ts";
import { SHIPPED } from "../settings/shipped-files.ts";
import { createActAs } from "../server/create-act-as.ts";
import { recordAddress } from "../server/server-client.ts";
import { ExpectedError, errorText } from "@weft/engine/error-text.ts";

/** The time for which a server whose disk failed still answers reads, so that users can see why it exits. */
const READ_ONLY_MS = 10_000;

/**
 * The percentage by which the used heap of a thread may grow before garbage is collected. By default, V8 lets
 * the heap grow to several times its size on a machine with much memory, although jobs need that memory more.
 */
const HEAP_GROWING_PERCENT = 30;

/** Serves until it is stopped; resolves with the exit code. */
export async function serveCommand(settings: Settings): Promise<number> {
  const { io } = settings;
  io.setV8Flags(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
  const log = createLog(io.stderr);
  // Only their owner may read the files of runs; files in output destinations get the usual permissions.
  const umask = io.umask(0o077);
  const listening = Promise.withResolvers<void>();
  // The rights of users are read once the state folder is open, and are needed once the server listens.
  const rights: { find: ActAs } = { find: () => undefined };
  try {
    const execution = await executionSettings(settings, "auto", allowHosts([]));
    const wesDocuments = wesDocumentSettings(settings, execution.jobSandbox);
    const engine = await openEngine({
      stateFolder: settings.stateFolder(),
      sharedFolder: existing("shared", settings),
      catalogFolder: existing("catalog", settings) ?? SHIPPED.catalog,
      dataFolders: readDataFolders(settings),
      sinks: { folders: readSinkFolders(settings), umask },
      ...execution,
      wesDocuments,
      sharesResults: !settings.isOn("private-runs"),
      controlGroups: !settings.isOn("no-control-groups"),
      commitPublished: settings.isOn("commit-published"),
      runNames: runNameSettings(settings),
      maxOpenRuns: settings.count("max-open-runs", 1) ?? 10_000,
      maxUploadBytes: maxUploadBytes(settings),
      listening: listening.promise,
      notifications: notificationSettings(settings),
      actAs: (grant) => rights.find(grant),
      log,
    });
    const onListening = (address: string, { auth, privateRuns = false }: Access) => {
      rights.find = createActAs({ auth, privateRuns, base: publicAddress(settings, address), log });
      listening.resolve();
    };
    return await serve(engine, settings, { ...execution, log, onListening, wesDocuments: wesDocuments?.role });
  } catch (error) {
    return refuseToStart(error, io);
  }
}

function maxUploadBytes(settings: Settings): number {
  return settings.count("max-upload-bytes", 1) ?? 100 * 1024 ** 3;
}

interface ServeOptions extends Pick<ServerOptions, "limits" | "wesDocuments"> {
  readonly log: Log;
  readonly onListening: (address: string, access: Access) => void;
}

async function serve(engine: Engine, settings: Settings, options: ServeOptions): Promise<number> {
  const { log, onListening } = options;
  const stopped = Promise.withResolvers<number>();
  const onShutdown = () => stopped.resolve(EXIT.success);
  const { server, access } = await listen(engine, settings, { ...options, onShutdown });
  // A program that reads the address may send a signal immediately.
  const atOnce = stopOnSignals(engine, settings.io, { log, done: onShutdown });
  const signIn = server.signInAddress();
  await recordAddress(settings.stateFolder(), server.address);
  settings.io.stdout.write(`Weft listening on ${publicAddress(settings, server.address)}\n`);
  if (signIn !== undefined) settings.io.stdout.write(`Sign in, once and within an hour, at ${signIn}\n`);
  onListening(server.address, access);
  void engine.failed.then((why) => endAfterFailure(engine, { log, why, done: () => stopped.resolve(EXIT.disk) }));
  const inOrder = stopped.promise.then(async (code) => {
    await server.close();
    return code;
  });
  return Promise.race([inOrder, atOnce]);
}

/** The address that people use, without a trailing slash. */
function publicAddress(settings: Settings, listening: string): string {
  return settings.text("base-url")?.replace(/\/$/, "") ?? listening;
}

async function listen(
  engine: Engine,
  settings: Settings,
  { log, limits, wesDocuments, onShutdown }: Omit<ServeOptions, "onListening"> & { readonly onShutdown: () => void },
): Promise<{ readonly server: RunningServer; readonly access: Access }> {
  try {
    const access = await readAccess(settings);
    if (access.auth.mode === "none" && access.auth.everyone === true)
      log("warn", "anyone who can reach this address can run commands as this account (--let-everybody-in)", {});
    const server = await createServer({
      engine,
      host: settings.text("host") ?? "127.0.0.1",
      port: settings.count("port", 0, 65_535) ?? 8080,
      baseUrl: settings.text("base-url"),
      ...access,
      wesDocuments,
      auditFolder: auditFolderPath(settings.stateFolder()),
      limits,
      maxUploadBytes: maxUploadBytes(settings),
      rates: readRates(settings, access.auth.mode === "none" ? NO_RATES : DEFAULT_RATES),
      webRoot: SHIPPED.web,
      examine: async (servedAt) =>
        (await import("@weft/engine/doctor/examine-machine.ts")).examineMachine(
          await machineSetting(settings, { servedAt, isServer: true }),
        ),
      log: (level, ...message) => level !== "debug" && log(level, ...message),
      onShutdown,
    });
    return { server, access };
  } catch (error) {
    await engine.stop("detach");
    throw error;
  }
}

/**
 * The first signal stops the server gracefully and leaves jobs running. The second ends it immediately, which is also safe:
 * the promise resolves with the exit code.
 */
function stopOnSignals(
  engine: Engine,
  { signals }: CommandIo,
  { log, done }: { readonly log: Log; readonly done: () => void },
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return resolve(EXIT.interrupted);
    isStopping = true;
    log("info", "stopping; running jobs continue, and the next start reattaches to them", { signal });
    engine.stop("detach").then(done, (error: unknown) => {
      log("error", "the engine did not stop cleanly", { error: String(error) });
      resolve(EXIT.software);
    });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) signals.on(signal, stop);
  return promise;
}

/** Stops writing. Jobs continue, and the next start of the server (for instance by systemd) reattaches to them. */
async function endAfterFailure(
  engine: Engine,
  { log, why, done }: { readonly log: Log; readonly why: string; readonly done: () => void },
): Promise<void> {
  log("error", "disk failure; the server is read-only now and will exit", { error: why, after_ms: READ_ONLY_MS });
  await new Promise((resolve) => setTimeout(resolve, READ_ONLY_MS));
  await engine.stop("detach");
  done();
}

/** Requests per second; the burst grows in proportion, as with a login. */
function readRates(settings: Settings, defaults: RequestRates): RequestRates {
  const rate = (perSecond: number | undefined, kind: keyof RequestRates): Rate => {
    const { perSecond: usual, burst } = DEFAULT_RATES[kind];
    return perSecond === undefined ? defaults[kind] : { perSecond, burst: Math.ceil((perSecond * burst) / usual) };
  };
  return {
    reads: rate(settings.count("read-rate", 0), "reads"),
    writes: rate(settings.count("write-rate", 0), "writes"),
  };
}

/** A broken machine is not a bug: explains the problem. Every message names a command that reports more. */
function refuseToStart(error: unknown, io: CommandIo): number {
  if (error instanceof UsageError) throw error;
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof Refusal && code === "storage-failed") return refuse(io, error.message, EXIT.disk);
  // The state folder, the sandbox or the address cannot be used.
  if (error instanceof ExpectedError || error instanceof ServerConfigurationError)
    return refuse(io, error.message, EXIT.configuration);
  if (code === "EADDRINUSE" || code === "EACCES") {
    const listening = `cannot listen there: ${errorText(error)}`;
    return refuse(io, `${listening}\nChoose another port with --port, or 0 for a free one.`, EXIT.configuration);
  }
  writeLine(io, EXAMINE);
  throw error;
}

const EXAMINE = 'Run "weft doctor" to check this machine.';

function refuse(io: CommandIo, message: string, exitCode: number): number {
  writeLine(io, `weft: ${message}\n${EXAMINE}`);
  return exitCode;
}
