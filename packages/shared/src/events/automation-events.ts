import { z } from "zod";
import { namedObject } from "../records/named-object.ts";
import { AUTOMATION_STATES } from "../records/automation-names.ts";
import { automationIdSchema, createAutomationSchema } from "../records/automation-record.ts";
import { credentialSchema, idempotencySchema, serverEvent } from "./event-parts.ts";

const head = {
  automation_id: automationIdSchema,
  owner: z.string().describe("With private runs, only this principal and admins see the event"),
} as const;

/** Runs that start automatically. The started runs are in `run.created`. */
export const AUTOMATION_EVENTS = [
  serverEvent("automation.created", {
    ...head,
    settings: createAutomationSchema,
    credential: credentialSchema,
    idempotency: idempotencySchema,
  }),
  serverEvent("automation.removed", head),
  serverEvent("automation.changed", { ...head, state: z.enum(AUTOMATION_STATES), reason: z.string().describe("Why") }),
  // The automation could not start a run.
  serverEvent("automation.failed", { ...head, detail: z.string().describe("Why") }),
] as const;

/** Part of `run.created`. */
export const automationOfRunSchema = namedObject("AutomationOfRun", {
  automation_id: automationIdSchema,
  keys: z.array(z.string()).describe("Keys of the samples or times; the log accepts each key once"),
});
