import type { TableFormat } from "@weft/shared/records/table-record.ts";
import type { DescribeRun, DescribeRuns } from "@weft/shared/records/run-record.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import type { Caller } from "../port/caller.ts";
import type { Engine } from "../port/engine.ts";
import { ask, askArchive, outcomeOf } from "./ask-engine.ts";
import type { BuiltFile, HashedText, RouteMethods } from "../port/route-methods.ts";

/** A query about the samples of some runs. */
export type TableQuestion =
  | { readonly what: "page"; readonly fields: readonly string[]; readonly from?: number; readonly page_size?: number }
  | { readonly what: "fields" }
  | { readonly what: "export"; readonly fields?: readonly string[]; readonly format: TableFormat };

type Asked = Pick<Engine, "runs"> & { readonly methods: RouteMethods };

/** Asks the methods about runs by short names. */
export function runsOf(engine: Asked) {
  const run = (run_id: string) => ({ run_id });
  return {
    ...engine.runs,
    describe: (caller: Caller, id: string, body: DescribeRun) =>
      ask(engine, "POST /api/runs/{run_id}/describe", { caller, params: run(id), body }),
    describeAll: (caller: Caller, body: DescribeRuns) => ask(engine, "POST /api/runs/describe", { caller, body }),
    pause: (caller: Caller, id: string) => ask(engine, "POST /api/runs/{run_id}/pause", { caller, params: run(id) }),
    resume: (caller: Caller, id: string) => ask(engine, "POST /api/runs/{run_id}/resume", { caller, params: run(id) }),
    jobTable: (caller: Caller, id: string, query: RouteQuery<"GET /api/runs/{run_id}/jobs">) =>
      ask(engine, "GET /api/runs/{run_id}/jobs", { caller, params: run(id), query }),
    jobTimes: (caller: Caller, id: string) =>
      ask(engine, "GET /api/runs/{run_id}/timeline", { caller, params: run(id) }),
    samples: (caller: Caller, id: string, query: RouteQuery<"GET /api/runs/{run_id}/samples">) =>
      ask(engine, "GET /api/runs/{run_id}/samples", { caller, params: run(id), query }),
    table: async (
      caller: Caller,
      [run_id, ...others]: readonly [string, ...string[]],
      { what, ...query }: TableQuestion,
    ): Promise<Buffer> => {
      const asked = { caller, params: { run_id }, query: { ...query, ...(others.length > 0 && { with: others }) } };
      if (what === "export") {
        const file = await outcomeOf(engine, "GET /api/runs/{run_id}/table/export", asked as never);
        return (file as BuiltFile).content as Buffer;
      }
      const route = what === "fields" ? "GET /api/runs/{run_id}/table/fields" : "GET /api/runs/{run_id}/table";
      return ((await outcomeOf(engine, route, asked as never)) as HashedText).bytes;
    },
    findFiles: (caller: Caller, query: RouteQuery<"GET /api/provenance/files">) =>
      ask(engine, "GET /api/provenance/files", { caller, query }),
  };
}

/** Asks the methods about provenance by short names. */
export function provenanceOf(engine: Pick<Engine, "provenance" | "methods">) {
  const asked = (caller: Caller, run_id: string, format: "prov-json" | "ro-crate" | "ro-crate-metadata") => ({
    caller,
    params: { run_id },
    query: { format },
  });
  return {
    ...engine.provenance,
    provJson: async (caller: Caller, id: string) =>
      (await outcomeOf(engine, "GET /api/runs/{run_id}/provenance", asked(caller, id, "prov-json"))) as HashedText,
    crateMetadata: async (caller: Caller, id: string) =>
      (await outcomeOf(
        engine,
        "GET /api/runs/{run_id}/provenance",
        asked(caller, id, "ro-crate-metadata"),
      )) as BuiltFile,
    crateArchive: (caller: Caller, id: string) =>
      askArchive(engine, "GET /api/runs/{run_id}/provenance", asked(caller, id, "ro-crate")),
    lineage: (caller: Caller, run_id: string, query: RouteQuery<"GET /api/runs/{run_id}/lineage">) =>
      ask(engine, "GET /api/runs/{run_id}/lineage", { caller, params: { run_id }, query }),
  };
}
