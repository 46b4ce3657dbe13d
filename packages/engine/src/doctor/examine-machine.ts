import type { CheckId, MachineCheck, MachineReport } from "@weft/shared/records/machine-record.ts";
import { checkSlurm, checkTes } from "./check-backends.ts";
import { checkBrowser } from "./check-browser.ts";
import { checkClock } from "./check-clock.ts";
import { checkContainers } from "./check-containers.ts";
import { checkDisk, checkTemporaryFolder } from "./check-disk.ts";
import { checkControlGroups, checkSandbox } from "./check-isolation.ts";
import { checkPort, checkProxy } from "./check-network.ts";
import { checkAccount, checkLauncher, checkLimits, checkNode } from "./check-process.ts";
import { checkState, readState } from "./check-state.ts";
import { failed } from "./finding.ts";
import type { Finding } from "./finding.ts";
import type { Machine } from "./machine.ts";
import { errorText } from "../error-text.ts";

export interface Check {
  readonly id: CheckId;
  readonly title: string;
  readonly examine: () => Finding | Promise<Finding>;
  /** How long to wait for it. */
  readonly limitMs: number;
}

const LIMIT_MS = 20_000;
/** The first container of a machine is slow. */
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
