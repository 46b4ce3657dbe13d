import {
  automationHistorySchema,
  automationListSchema,
  automationPlanSchema,
  automationSchema,
  createAutomationSchema,
} from "../records/automation-record.ts";
import { STORAGE_PROBLEMS } from "../records/refusal.ts";
import { startHeaders } from "./run-routes.ts";
import { routesOf, type RouteTable } from "./route.ts";

const changeProblems = ["draining", ...STORAGE_PROBLEMS] as const;
const settingsProblems = ["network-not-found", "invalid-document", "not-found", ...STORAGE_PROBLEMS] as const;
const ofAutomation = { 200: { description: "The automation", schema: automationSchema } } as const;
const planAnswer = { 200: { description: "The runs that it would start", schema: automationPlanSchema } } as const;

/** Runs that start automatically. Callers see their own automations; admins see all. */
export const automationRoutes = routesOf("automations", {
  "GET /api/automations": {
    operationId: "listAutomations",
    access: "viewer",
    summary: "List automations, newest first",
    answers: { 200: { description: "The caller's automations; all for admins", schema: automationListSchema } },
  },
  "POST /api/automations": {
    operationId: "createAutomation",
    access: "runner",
    summary: "Create an automation",
    description:
      "Its runs belong to the caller and have the rights that the caller has at that time. With an `Idempotency-Key`, repeating the request within 24 h returns the automation that it created.",
    headers: startHeaders,
    body: createAutomationSchema,
    answers: {
      201: { description: "The automation", schema: automationSchema, location: "/api/automations/{automation_id}" },
    },
    problems: [...settingsProblems, "conflict", "draining", "idempotency-key-reused"],
  },
  "POST /api/automation-plans": {
    operationId: "planAutomation",
    access: "runner",
    summary: "Say what an automation with these settings would do now",
    body: createAutomationSchema,
    answers: planAnswer,
    problems: settingsProblems,
  },
  "DELETE /api/automations/{automation_id}": {
    operationId: "deleteAutomation",
    access: "runner",
    summary: "Delete an automation; its runs stay",
    answers: { 204: { description: "Deleted" } },
    problems: changeProblems,
  },
  "GET /api/automations/{automation_id}/plan": {
    operationId: "getAutomationPlan",
    access: "viewer",
    summary: "Say what an automation would do now",
    answers: planAnswer,
  },
  "GET /api/automations/{automation_id}/history": {
    operationId: "getAutomationHistory",
    access: "viewer",
    summary: "List what an automation did, newest first",
    answers: { 200: { description: "The newest entries", schema: automationHistorySchema } },
  },
  "POST /api/automations/{automation_id}/pause": {
    operationId: "pauseAutomation",
    access: "runner",
    summary: "Pause an automation",
    answers: ofAutomation,
    problems: changeProblems,
  },
  "POST /api/automations/{automation_id}/resume": {
    operationId: "resumeAutomation",
    access: "runner",
    summary: "Resume a paused or stopped automation",
    answers: ofAutomation,
    problems: changeProblems,
  },
} as const satisfies RouteTable);
