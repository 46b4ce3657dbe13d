import type { JobSandbox as SandboxRecord } from "@weft/shared/records/sandbox-record.ts";
import type { SandboxSetting } from "@weft/shared/records/sandbox-setting.ts";
import type { Launch, LaunchSandbox } from "../executor/executor.ts";
import type { RunProgram } from "../executor/run-program.ts";
import type { Log } from "../log.ts";
import { bubblewrapArgv, FILTER_DESCRIPTOR } from "./bubblewrap-argv.ts";
import { probeBubblewrap, type WorkingSandbox } from "./probe-bubblewrap.ts";
import type { SandboxPlaces } from "./sandbox-places.ts";
import { SandboxUnusable } from "./sandbox-unusable.ts";
import { sandboxView, type SandboxedJob } from "./sandbox-view.ts";

/** The sandbox of jobs that run on this machine without a container. */
export interface JobSandbox {
  /** The record for the log, and how the program starts; empty without a sandbox. */
  enclose(job: SandboxedJob, streams: LaunchSandbox["streams"]): Promise<SandboxedLaunch>;
}

export interface SandboxedLaunch {
  readonly record: SandboxRecord;
  readonly launch: Pick<Launch, "sandbox">;
}

export interface JobSandboxOptions {
  readonly setting: SandboxSetting;
  readonly places: () => SandboxPlaces;
  readonly run: RunProgram;
  readonly log: Log;
}

const TURNED_OFF = "sandboxes are turned off (--sandbox none)";

/**
 * Tries a sandbox once, unless sandboxes are turned off. Rejects with SandboxUnusable if one is required and does not
 * work.
 */
export async function openJobSandbox({ setting, places, run, log }: JobSandboxOptions): Promise<JobSandbox> {
  if (setting === "none") return withoutSandbox(TURNED_OFF);
  const where = places();
  const path = process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
  const found = await probeBubblewrap({ run, places: where, path });
  if (found.programs !== undefined) {
    log("info", "jobs without a container run in a sandbox", { sandbox: "bubblewrap", version: found.version });
    return bubblewrapSandbox(found, where);
  }
  const why = `bubblewrap ${found.why}`;
  if (setting === "required")
    throw new SandboxUnusable(
      `a sandbox is required, but ${why}. Install bubblewrap and allow it (docs/explanation/sandbox.md), or start with --sandbox auto.`,
    );
  log("warn", "jobs without a container run without a sandbox", { why });
  return withoutSandbox(why);
}

function withoutSandbox(why: string): JobSandbox {
  return { enclose: async () => ({ record: { kind: "none", why }, launch: {} }) };
}

function bubblewrapSandbox({ programs, version }: WorkingSandbox, places: SandboxPlaces): JobSandbox {
  return {
    enclose: async (job, streams) => {
      const argv = bubblewrapArgv(programs, await sandboxView(job, places));
      const record = { kind: "bubblewrap", version, network: job.networkAccess } as const;
      return { record, launch: { sandbox: { argv, open: { [FILTER_DESCRIPTOR]: places.filter }, streams } } };
    },
  };
}
