import { parseJson } from "@weft/shared/json/exact-json.ts";
import {
  crateEventSchema,
  crateLineSchema,
  CRATE_EVENT_TYPES,
  type CrateEvent,
  type CrateLine,
} from "@weft/shared/events/crate-event.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { z } from "zod";

/** An event of a crate that an importing server handles. */
export interface ImportedEvent {
  readonly line: CrateLine;
  readonly event: CrateEvent;
}

const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PLACE = "weft/events.jsonl";

/**
 * The events of a crate, checked as untrusted input. Refuses `invalid-crate`, with the line, for events that no Weft
 * has written, and for anything but one complete run.
 */
export function readCrateEvents(text: string): readonly [ImportedEvent, ...ImportedEvent[]] {
  const lines = text.split("\n").flatMap((line, index) => (line === "" ? [] : [readLine(line, index + 1)]));
  const taken = lines.flatMap((line, index) => (CRATE_EVENT_TYPES.has(line.type) ? [takeLine(line, index + 1)] : []));
  const [first, ...others] = taken;
  const runId = first?.line.run_id ?? "";
  if (first?.event.type !== "run.created" || !RUN_ID.test(runId)) throw unusable("it does not begin with a run");
  if (lines.some((line) => line.run_id !== runId)) throw unusable("it contains events of another run");
  if (others.some(({ event }) => event.type === "run.created")) throw unusable("its run begins twice");
  if (!others.some(({ event }) => event.type === "run.ended")) throw unusable("its run has no end");
  return [first, ...others];
}

function readLine(text: string, number: number): CrateLine {
  const parsed = crateLineSchema.safeParse(parseJson(text));
  if (!parsed.success) throw unusable(`line ${number} is not an event (${firstIssue(parsed.error)})`);
  return parsed.data;
}

function takeLine(line: CrateLine, number: number): ImportedEvent {
  const { type, job_id, step, sample_id, data } = line;
  const parsed = crateEventSchema.safeParse({ type, job_id, step, sample_id, data });
  if (!parsed.success) throw unusable(`line ${number} is not a valid ${type} event (${firstIssue(parsed.error)})`);
  return { line, event: parsed.data };
}

function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return issue === undefined ? "" : `${issue.path.map(String).join(".")}: ${issue.message}`;
}

export function unusable(why: string): Refusal {
  return new Refusal("invalid-crate", `${PLACE} of the crate is invalid: ${why}.`);
}
