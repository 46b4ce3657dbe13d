import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { CacheMode } from "@weft/shared/records/run-record.ts";
import { entryUrl } from "../../catalog/present-entry.ts";
import type { Caller } from "../../port/engine.ts";
import { giveWay } from "../../async/give-way.ts";
import { assumeRemote } from "../../files/remote/assume-remote.ts";
import { portableValues } from "../../values/record-values.ts";
import { presentPortable } from "../../present/present-values.ts";
import { CachePredictor } from "./cache-predictor.ts";
import { planProcess } from "./plan-process.ts";
import type { RequestContext, ResolvedRequest } from "../begin/resolve-request.ts";

export interface PlannedRun {
  readonly request: ResolvedRequest;
  readonly cache: CacheMode;
}

/** The plan of a requested run. Refuses `invalid-inputs` if a job could not start. */
export async function planRun(caller: Caller, { request, cache }: PlannedRun, services: RequestContext): Promise<Plan> {
  const { entry, bound, samples } = request;
  const { process, formats } = entry;
  const { links } = caller;
  const { reach, files } = services.access.ofCaller(caller);
  const seen = { ...services, reach, files: assumeRemote(files) };
  const predictor = new CachePredictor({ mode: cache, entry, catalog: services.catalog, caller }, seen);
  const plan = await planProcess({ process, formats, bound, samples }, { ...services, reach, files }, (call, job) =>
    predictor.of(call, job),
  );
  if ("failure" in plan)
    throw new Refusal("invalid-inputs", plan.failure, {
      errors: [{ code: "no-plan", detail: plan.failure, ...(plan.hint === undefined ? {} : { hint: plan.hint }) }],
    });
  await giveWay();
  const { id, version, kind } = entry.place;
  const { label } = process;
  const inputs = portableValues(bound, services.uris);
  await giveWay();
  return {
    [kind]: {
      id,
      version,
      digest: entry.digest,
      url: entryUrl(entry, links),
      ...(label === undefined ? {} : { label }),
    },
    inputs: presentPortable(inputs, links),
    ...plan,
  };
}
