import type { AutomationSettings } from "@weft/shared/records/automation-record.ts";
import type { Decisions } from "../../machine/decisions.ts";
import { COPIES } from "../documents.ts";

/** A file that somebody puts into the folder of an automation. */
export interface PlannedSample {
  readonly name: string;
  readonly atMs: number;
  /** The file is written in two parts, or changed later; undefined: never. */
  readonly againAfterMs: number | undefined;
}

/** An automation that somebody creates, and what it finds. */
export interface PlannedAutomation {
  readonly atMs: number;
  readonly settings: AutomationSettings;
  /** Another one, which starts a run after each success of the first; undefined: none. */
  readonly follower: AutomationSettings | undefined;
  readonly samples: readonly PlannedSample[];
}

export const SAMPLES_ROOT = "samples";
/** An input of the runs that follow others. */
export const FOLLOWER_TEXT = "red";
const SHARE = 0.06;

export function drawAutomation(decisions: Decisions): PlannedAutomation | undefined {
  const isWanted = decisions.fraction("plan.automation") < SHARE;
  const samples = ["one", "two", "three"].map((name) => drawSample(decisions, name));
  const settings = drawSettings(decisions);
  const isFollowed = decisions.fraction("automation.follower") < 0.5;
  const atMs = decisions.between("automation.at", 0, 20_000);
  // The automation and its samples are drawn as faults, so that a world can be made smaller.
  if (!isWanted || !decisions.happens("automation", 1)) return undefined;
  const follower = isFollowed ? FOLLOWER : undefined;
  return { atMs, settings, follower, samples: samples.filter((_, at) => decisions.happens("sample", 1) || at === 0) };
}

const FOLLOWER: AutomationSettings = {
  ...{ name: "After copies", network: "chain", trigger: { kind: "run-ended", network: COPIES } },
  ...{ mode: "new", settle_s: 0, max_runs_per_day: 1000 },
  inputs: { text: FOLLOWER_TEXT, cores: 1, ram: 100, limit: 0 },
};

function drawSample(decisions: Decisions, name: string): PlannedSample {
  const atMs = decisions.between("sample.at", 0, 40_000);
  const againAfterMs = decisions.between("sample.again", 100, 40_000);
  return { name, atMs, againAfterMs: decisions.happens("sample-again", 0.4) ? againAfterMs : undefined };
}

function drawSettings(decisions: Decisions): AutomationSettings {
  const query = { location: `weft-data://${SAMPLES_ROOT}/`, per: ["name"], columns: [] };
  return {
    ...{ name: "New samples", network: COPIES, trigger: { kind: "samples" }, dataset: { query } },
    mode: decisions.pick("automation.mode", ["new", "all"]),
    settle_s: decisions.pick("automation.settle", [0, 5, 15]),
    max_runs_per_day: 1000,
    inputs: { cores: 1, ram: 100, limit: 0 },
  };
}
