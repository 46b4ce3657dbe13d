import { Cron } from "croner";
import type { AutomationSettings } from "@weft/shared/records/automation-record.ts";
import type { AutomationRow } from "./read-automations.ts";
import { errorText } from "../error-text.ts";

type Trigger = AutomationSettings["trigger"];

/** The next time of a schedule after a moment; null for other triggers and ended schedules. Throws for invalid ones. */
export function nextTime(trigger: Trigger, afterMs: number): number | null {
  if (trigger.kind !== "schedule") return null;
  const cron = new Cron(trigger.cron, { timezone: trigger.time_zone, paused: true });
  return cron.nextRun(new Date(afterMs))?.getTime() ?? null;
}

/** The problem of a schedule; undefined if it is valid. */
export function scheduleProblem(trigger: Trigger): string | undefined {
  try {
    return trigger.kind === "schedule" && nextTime(trigger, Date.now()) === null
      ? "its schedule has no further times"
      : undefined;
  } catch (error) {
    return errorText(error);
  }
}

export interface Moment {
  readonly nowMs: number;
  /** The time up to which the schedule has been carried out; it begins when the automation is created. */
  readonly doneMs: number;
  /** The first run that ended successfully and was not yet an occasion. */
  readonly endedRun: string | undefined;
}

/**
 * The reason why the automation should act now, as a unique name; undefined if there is none. After a downtime, a
 * server catches up on the last missed time of a schedule only.
 */
export function occasionOf(
  { settings: { trigger } }: Pick<AutomationRow, "settings">,
  { nowMs, doneMs, endedRun }: Moment,
): string | undefined {
  if (trigger.kind === "samples") return "samples";
  if (trigger.kind === "run-ended") return endedRun === undefined ? undefined : `run ${endedRun}`;
  const dueMs = nextTime(trigger, doneMs);
  return dueMs === null || dueMs > nowMs ? undefined : `time ${new Date(dueMs).toISOString()}`;
}
