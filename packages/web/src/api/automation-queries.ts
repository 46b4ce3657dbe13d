import { queryOptions } from "@tanstack/react-query";
import type { Automation, AutomationPlan, CreateAutomation } from "@weft/shared/records/automation-record.ts";
import { api } from "./client.ts";

/** Automations act without anything else on the page changing. */
const REFRESH_MS = 5000;

export const automationKeys = { all: ["automations"] as const };

/** The automations of the caller; all of them for admins. */
export function automationsQuery() {
  return queryOptions({
    queryKey: [...automationKeys.all, "list"] as const,
    queryFn: ({ signal }) => api("GET /api/automations", { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The plan of an automation. */
export function automationPlanQuery(automationId: string) {
  return queryOptions({
    queryKey: [...automationKeys.all, automationId, "plan"] as const,
    queryFn: ({ signal }) =>
      api("GET /api/automations/{automation_id}/plan", { params: { automation_id: automationId }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The actions of an automation, newest first. */
export function automationHistoryQuery(automationId: string) {
  return queryOptions({
    queryKey: [...automationKeys.all, automationId, "history"] as const,
    queryFn: ({ signal }) =>
      api("GET /api/automations/{automation_id}/history", { params: { automation_id: automationId }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

export function createAutomation(body: CreateAutomation): Promise<Automation> {
  return api("POST /api/automations", { body });
}

export function planAutomation(body: CreateAutomation): Promise<AutomationPlan> {
  return api("POST /api/automation-plans", { body });
}

export function setAutomationActive(automationId: string, isActive: boolean): Promise<Automation> {
  const params = { automation_id: automationId };
  return isActive
    ? api("POST /api/automations/{automation_id}/resume", { params })
    : api("POST /api/automations/{automation_id}/pause", { params });
}

export function deleteAutomation(automationId: string): Promise<undefined> {
  return api("DELETE /api/automations/{automation_id}", { params: { automation_id: automationId } });
}
