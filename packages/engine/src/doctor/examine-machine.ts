import { userInfo, hostname } from "node:os";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { CheckId, MachineCheck, MachineReport } from "@weft/shared/records/machine-record.ts";
import { errorText } from "../error-text.ts";
import type { BackendSettings } from "../executor/backends/backend-settings.ts";
import { mayRunAt } from "../executor/backends/choose-backend.ts";
import type { RunProgram } from "../executor/run-program.ts";
import { checkClock } from "./check-clock.ts";
import { checkContainers } from "./check-containers.ts";
import { checkDisk, checkTemporaryFolder } from "./check-disk.ts";
import { checkControlGroups, checkSandbox } from "./check-isolation.ts";
import { checkPort, checkProxy } from "./check-network.ts";
import { checkAccount, checkLauncher, checkLimits, checkNode } from "./check-process.ts";
import { checkState, readState } from "./check-state.ts";
import { failed, ok, warning, type Finding, type Machine } from "./machine.ts";

export interface Check {
  readonly id: CheckId;
  readonly title: string;
  readonly examine: () => Finding | Promise<Finding>;
  /** The time limit in milliseconds. */
  readonly limitMs: number;
}

const LIMIT_MS = 20_000;
/** The first container on a machine starts slowly. */
const CONTAINER_LIMIT_MS = 60_000;

/** Finds out what a machine provides and lacks. Takes as long as the slowest check, at most a minute. */
export async function examineMachine(machine: Machine): Promise<MachineReport> {
  return {
    version: machine.version,
    time: new Date().toISOString(),
    platform: `${process.platform} ${process.arch}`,
    state_folder: machine.stateFolder,
    checks: await Promise.all(checksOf(machine).map(carryOut)),
  };
}

function checksOf(machine: Machine): readonly Check[] {
  const { stateFolder, backend, run, env } = machine;
  const state = readState(machine);
  const check = (id: CheckId, title: string, examine: Check["examine"], limitMs = LIMIT_MS) => ({
    ...{ id, title, examine, limitMs },
  });
  return [
    check("node", "Node", () => checkNode()),
    check("account", "Account", () => checkAccount()),
    check("limits", "Limits", () => checkLimits()),
    check("clock", "Clock", async () => checkClock(run, await state)),
    check("disk", "Disk", () => checkDisk(stateFolder)),
    check("state-folder", "State folder", async () => checkState(machine, await state)),
    check("temporary-folder", "Temporary folder", () => checkTemporaryFolder()),
    check("port", "Port", () => checkPort(machine)),
    check("proxy", "Proxy", () => checkProxy(env)),
    check("browser", "Browser", () => checkBrowser(machine)),
    check("launcher", "Launcher", () => checkLauncher(run)),
    check("control-groups", "Control groups", () => checkControlGroups(machine.controlGroups)),
    check("sandbox", "Sandbox", () => checkSandbox(machine)),
    check("containers", "Containers", () => checkContainers(machine.container), CONTAINER_LIMIT_MS),
    check("slurm", "Slurm", () => checkSlurm(backend, run)),
    check("tes", "TES server", () => checkTes(backend)),
  ];
}

/** A check that fails or takes too long is a finding too. */
export async function carryOut({ id, title, examine, limitMs }: Check): Promise<MachineCheck> {
  const startMs = performance.now();
  const late = Promise.withResolvers<Finding>();
  const repeat = "weft doctor --json";
  const timer = setTimeout(() => late.resolve(failed(`no result after ${limitMs / 1000} s`, repeat)), limitMs);
  const finding = await Promise.race([late.promise, attempt(examine, repeat)]);
  clearTimeout(timer);
  return { id, title, ...finding, duration_ms: Math.round(performance.now() - startMs) };
}

async function attempt(examine: Check["examine"], repeat: string): Promise<Finding> {
  try {
    return await examine();
  } catch (error) {
    return failed(`the check itself failed: ${errorText(error)}`, repeat);
  }
}

const UNUSED = "not used: no job goes there";

/** Lists the jobs of this account. */
async function checkSlurm({ policy, slurm }: BackendSettings, run: RunProgram): Promise<Finding> {
  if (!mayRunAt(policy, "slurm")) return ok(UNUSED);
  const { SlurmClient } = await import("../executor/slurm/slurm-client.ts");
  const queue = await new SlurmClient(slurm, run, String(userInfo().uid)).queue();
  const { squeue } = slurm.commands;
  if ("failure" in queue) return failed(`${squeue} fails: ${queue.failure}`, `${squeue} --me`);
  return ok(`${squeue} answers; ${queue.length} jobs of Weft are there`);
}

/** Lists tasks, with the token of the configuration. */
async function checkTes({ policy, tes }: BackendSettings): Promise<Finding> {
  if (!mayRunAt(policy, "tes")) return ok(UNUSED);
  const { TesClient } = await import("../executor/tes/tes-client.ts");
  const answer = await new TesClient(tes).find("weft-doctor");
  if (answer.kind === "answered") return ok(`${tes.url} answers`);
  const why = answer.kind === "absent" ? "it is not a TES server" : answer.message;
  return failed(`${tes.url} cannot be used: ${why}`, `curl --include ${tes.url?.replace(/\/$/, "")}/service-info`);
}

const BROWSERS = ["firefox", "google-chrome", "chromium", "chromium-browser", "microsoft-edge", "epiphany", "safari"];

type BrowserOptions = Pick<Machine, "webRoot" | "env" | "isServer" | "port">;

/** Checks that the web application is built, and says where to open it. */
function checkBrowser({ webRoot, env, isServer, port }: BrowserOptions): Finding {
  if (!existsSync(join(webRoot, "index.html"))) return warning("the web application is not built", "npm run build");
  // A person who reads the report on the server page has a browser.
  if (isServer || process.platform === "darwin") return ok("the web application is built");
  const found = BROWSERS.find((name) => isProgram(name, env["PATH"] ?? ""));
  const hasDisplay = env["DISPLAY"] !== undefined || env["WAYLAND_DISPLAY"] !== undefined;
  if (found !== undefined && hasDisplay) return ok(`${found} is installed`);
  const tunnel = `ssh -L ${port}:127.0.0.1:${port} ${hostname()}`;
  const lack = found === undefined ? "no browser is installed" : `${found} is installed, but there is no display`;
  return warning(`${lack}; run this on your own machine, then open http://127.0.0.1:${port}`, tunnel);
}

function isProgram(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
