import type { RouteMethods } from "../port/route-methods.ts";
import type { Engine } from "../port/engine.ts";

type Services = Pick<Engine, "catalog" | "runs" | "provenance" | "files" | "events" | "wesDocuments">;

/** The routes that a method of a service answers directly. */
export function coreMethods(services: Services): RouteMethods {
  const { catalog, files, wesDocuments } = services;
  return {
    "GET /api/networks": ({ caller, query }) => catalog.listNetworks(caller, query),
    "GET /api/tools": ({ caller, query }) => catalog.listTools(caller, query),
    "GET /api/files": ({ caller, query }) => files.browse(caller, query),
    "GET /api/wes-documents": ({ caller, query }) => wesDocuments.list(caller, query),
    "GET /api/wes-documents/{digest}": ({ caller, params }) => wesDocuments.get(caller, params.digest),
    "POST /api/wes-documents/{digest}/approve": ({ caller, params }) =>
      wesDocuments.setApproval(caller, params.digest, true),
    "POST /api/wes-documents/{digest}/withdraw": ({ caller, params }) =>
      wesDocuments.setApproval(caller, params.digest, false),
    ...runMethods(services),
    ...provenanceMethods(services),
  };
}

function runMethods({ runs, events }: Services): RouteMethods {
  return {
    "POST /api/plans": ({ caller, body }) => runs.plan(caller, body),
    "GET /api/runs": ({ caller, query }) => runs.list(caller, query),
    "POST /api/runs/describe": ({ caller, body }) => runs.describeAll(caller, body),
    "POST /api/runs/{run_id}/describe": ({ caller, params, body }) => runs.describe(caller, params.run_id, body),
    "POST /api/runs/{run_id}/pause": ({ caller, params }) => runs.pause(caller, params.run_id),
    "POST /api/runs/{run_id}/resume": ({ caller, params }) => runs.resume(caller, params.run_id),
    "POST /api/runs/{run_id}/reproduce": ({ caller, params, body }) => runs.reproduce(caller, params.run_id, body),
    "POST /api/runs/{run_id}/retry-plan": ({ caller, params, body }) => runs.planRetry(caller, params.run_id, body),
    "GET /api/runs/{run_id}/jobs": ({ caller, params, query }) => runs.jobTable(caller, params.run_id, query),
    "GET /api/runs/{run_id}/jobs/{job_id}": ({ caller, params }) => runs.job(caller, params.run_id, params.job_id),
    "GET /api/runs/{run_id}/timeline": ({ caller, params, query }) => runs.jobTimes(caller, params.run_id, query),
    "GET /api/runs/{run_id}/samples": ({ caller, params, query }) => runs.samples(caller, params.run_id, query),
    "GET /api/runs/{run_id}/moment": ({ caller, params, query }) => {
      runs.status(caller, params.run_id); // refuses if there is no such run
      return events.moment(caller, params.run_id, query);
    },
  };
}

function provenanceMethods({ runs, provenance }: Services): RouteMethods {
  return {
    "GET /api/provenance/files": ({ caller, query }) => runs.findFiles(caller, query),
    "GET /api/runs/{run_id}/lineage": ({ caller, params, query }) => provenance.lineage(caller, params.run_id, query),
    "GET /api/runs/{run_id}/comparison": ({ caller, params, query }) => {
      const { with: other, relative = 0, absolute = 0 } = query;
      return provenance.compare(caller, [params.run_id, other], { relative, absolute });
    },
  };
}
