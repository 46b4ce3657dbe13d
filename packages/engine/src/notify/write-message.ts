import type { Links } from "@weft/shared/links.ts";
import type { Message } from "@weft/shared/records/subscription-record.ts";
import type { DeliveryRow } from "./read-notifications.ts";
import type { RunRow } from "../journal/rows.ts";
import { timeText } from "../present/present-time.ts";

const MESSAGE_TYPES = {
  failure: "run.failed",
  paused: "run.paused",
  success: "run.succeeded",
  "review-needed": "run.review-needed",
  "automation-stopped": "automation.stopped",
  test: "test",
} as const;

/**
 * The text of a delivery. Names the run and links to its page, but contains no values, paths or messages of jobs, which
 * could be confidential.
 */
export function writeMessage(
  { trigger, automationId, createdMs }: Pick<DeliveryRow, "trigger" | "automationId" | "createdMs">,
  run: RunRow | undefined,
  links: Links,
): Message {
  const head = { type: MESSAGE_TYPES[trigger], timestamp: timeText(createdMs) };
  if (run !== undefined) return { ...head, data: describeRun(run, trigger, links) };
  const text = "An automation has stopped and needs attention.";
  const url = `${links.base}/automations?automation=${automationId}`;
  if (automationId !== null) return { ...head, data: { text, url, automation_id: automationId } };
  return { ...head, data: { text: "This is a test message from Weft.", url: `${links.base}/notifications` } };
}

function describeRun(run: RunRow, trigger: DeliveryRow["trigger"], links: Links): Message["data"] {
  const { runId, name, kind, processId, state, outcome } = run;
  return {
    text: textAbout(run, trigger),
    url: trigger === "review-needed" ? `${links.runPage(runId)}?tab=review` : links.runPage(runId),
    run_id: runId,
    run_name: name,
    [kind]: processId,
    state,
    ...(outcome === null ? {} : { outcome }),
  };
}

const END_WORDS = {
  success: "succeeded",
  partial: "failed; some of its outputs exist",
  failure: "failed",
  canceled: "was aborted",
} as const;

function textAbout({ name, outcome }: RunRow, trigger: DeliveryRow["trigger"]): string {
  if (trigger === "review-needed") return `"${name}" has samples to review.`;
  if (trigger === "paused")
    return `"${name}" was paused because the server crashed several times while this run was active. Resume or abort the run.`;
  return `"${name}" ${END_WORDS[outcome ?? "failure"]}.`;
}
