import type { RouteId } from "./routes.ts";
import type { EventType } from "../events/event.ts";

const RUN = ["GET /api/runs", "GET /api/server", "GET /api/runs/{run_id}"] as const;
const JOB = [...RUN, "GET /api/runs/{run_id}/jobs", "GET /api/runs/{run_id}/jobs/{job_id}"] as const;
const RESULTS = ["GET /api/runs/{run_id}/outputs", "GET /api/runs/{run_id}/results"] as const;
const TESTS = [
  "GET /api/drafts/{draft_id}/tests",
  "GET /api/draft-groups/{group_id}",
  "GET /api/networks/{id}/tests",
  "GET /api/tools/{id}/{version}/tests",
] as const;

export const SUBSCRIPTION_ROUTES = [
  "GET /api/subscriptions",
  "GET /api/subscriptions/{subscription_id}/deliveries",
] as const;
export const AUTOMATION_ROUTES = [
  "GET /api/automations",
  "GET /api/automations/{automation_id}/plan",
  "GET /api/automations/{automation_id}/history",
] as const;

/** The tools and networks of the catalog, with figures about their runs. */
export const CATALOG_ROUTES = [
  "GET /api/networks",
  "GET /api/networks/{id}",
  "GET /api/tools",
  "GET /api/tools/{id}",
  "GET /api/tools/{id}/{version}",
  "GET /api/upgrades",
] as const;

/**
 * The routes whose answers an event changes; those with `{run_id}` only for the run of the event. The list of events
 * and the timeline are not among them for events of jobs, because the page adds those events itself.
 */
export const STALE_ROUTES: Readonly<Record<EventType, readonly RouteId[]>> = {
  "run.created": JOB,
  "run.started": JOB,
  "run.steps": JOB,
  "run.inputs": JOB,
  "run.outputs": [...JOB, ...RESULTS],
  "run.canceling": JOB,
  "run.ended": [
    ...JOB,
    ...RESULTS,
    ...CATALOG_ROUTES,
    ...SUBSCRIPTION_ROUTES,
    "GET /api/runs/{run_id}/timeline",
    "GET /api/runs/{run_id}/samples",
    "GET /api/runs/{run_id}/lineage",
    "GET /api/provenance/files",
  ],
  "run.compared": RUN,
  "run.fetching": RUN,
  "run.fetched": RUN,
  "run.reattached": JOB,
  "run.described": [...RUN, "GET /api/runs/{run_id}/outputs", "GET /api/subscriptions/{subscription_id}/deliveries"],
  "run.reviewed": [...RUN, "GET /api/runs/{run_id}/reviews"],
  "run.review-needed": [...RUN, ...SUBSCRIPTION_ROUTES, "GET /api/runs/{run_id}/reviews"],
  "run.paused": [...JOB, ...SUBSCRIPTION_ROUTES],
  "run.resumed": JOB,
  "run.tested": [...RUN, ...TESTS],
  "run.measured": RUN,
  "run.pruning": JOB,
  "run.pruned": [...JOB, ...RESULTS],
  "run.imported": [...JOB, ...RESULTS],
  "job.queued": JOB,
  "job.image": JOB,
  "job.fetching": JOB,
  "job.started": JOB,
  "job.running": JOB,
  "job.late": JOB,
  "job.exited": JOB,
  "job.retrying": JOB,
  "job.killed": JOB,
  "job.ended": JOB,
  "subscription.created": SUBSCRIPTION_ROUTES,
  "subscription.removed": SUBSCRIPTION_ROUTES,
  "notification.requested": SUBSCRIPTION_ROUTES,
  "notification.attempted": SUBSCRIPTION_ROUTES,
  "query.saved": ["GET /api/dataset-queries"],
  "query.removed": ["GET /api/dataset-queries"],
  "test.refused": TESTS,
  "catalog.changed": [...CATALOG_ROUTES, ...TESTS, "GET /api/documents"],
  "automation.created": AUTOMATION_ROUTES,
  "automation.removed": AUTOMATION_ROUTES,
  "automation.changed": [...AUTOMATION_ROUTES, ...SUBSCRIPTION_ROUTES],
  "automation.failed": AUTOMATION_ROUTES,
  "upload.pruned": [],
  "server.started": ["GET /api/server", "GET /api/subscriptions"],
  "server.stopping": ["GET /api/server"],
};
