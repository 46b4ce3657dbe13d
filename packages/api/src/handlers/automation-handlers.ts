import type { Handlers } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type AutomationHandlers = Pick<
  Handlers,
  | "GET /api/automations"
  | "POST /api/automations"
  | "POST /api/automation-plans"
  | "DELETE /api/automations/{automation_id}"
  | "GET /api/automations/{automation_id}/plan"
  | "GET /api/automations/{automation_id}/history"
  | "POST /api/automations/{automation_id}/pause"
  | "POST /api/automations/{automation_id}/resume"
>;

/** Runs that start by themselves. */
export function createAutomationHandlers({ engine }: ServerParts): AutomationHandlers {
  const { automations } = engine;
  return {
    "GET /api/automations": ({ caller }) => ({ status: 200, body: automations.list(caller) }),
    "POST /api/automations": async ({ caller, body }) => {
      const made = await automations.create(caller, body);
      const headers = { Location: `${caller.links.base}/api/automations/${made.automation_id}` };
      return { status: 201, body: made, headers };
    },
    "POST /api/automation-plans": async ({ caller, body }) => ({
      status: 200,
      body: await automations.planNew(caller, body),
    }),
    "DELETE /api/automations/{automation_id}": async ({ caller, params }) => {
      await automations.discard(caller, params.automation_id);
      return { status: 204, body: undefined };
    },
    "GET /api/automations/{automation_id}/plan": async ({ caller, params }) => ({
      status: 200,
      body: await automations.plan(caller, params.automation_id),
    }),
    "GET /api/automations/{automation_id}/history": ({ caller, params }) => ({
      status: 200,
      body: automations.history(caller, params.automation_id),
    }),
    "POST /api/automations/{automation_id}/pause": async ({ caller, params }) => ({
      status: 200,
      body: await automations.setActive(caller, params.automation_id, false),
    }),
    "POST /api/automations/{automation_id}/resume": async ({ caller, params }) => ({
      status: 200,
      body: await automations.setActive(caller, params.automation_id, true),
    }),
  };
}
