import { Automator } from "../../../../src/automate/automator.ts";
import { presentType } from "../../../../src/catalog/present-type.ts";
import type { Catalog } from "../../../../src/catalog/catalog.ts";
import type { ActAs, EngineDatasets, EngineRuns, RouteMethods } from "../../../../src/port/engine.ts";
import type { RunServices } from "../../../../src/runs/drive/run-services.ts";
import { automationMethods } from "../../../../src/automate/automation-methods.ts";
import { CALLER } from "../client.ts";

interface Parts extends Pick<RunServices, "journal" | "log"> {
  readonly runs: EngineRuns;
  readonly catalog: Catalog;
  /** The current result of a query. */
  readonly query: EngineDatasets["query"];
}

export interface OpenAutomations {
  readonly automator: Automator;
  readonly automations: RouteMethods;
}

/** As app/features.ts does; what folders report is lost, so that only looks at intervals find anything. */
export function openAutomations({ journal, log, runs, catalog, query }: Parts): OpenAutomations {
  const actAs: ActAs = () => ({ caller: CALLER, role: "runner" });
  const datasets: Pick<EngineDatasets, "ofRequest"> = {
    ofRequest: async (caller, { query: asked }) => {
      if (asked === undefined) throw new Error("simulated automations have their own queries");
      return { query: asked, saved: undefined, result: await query(caller, asked) };
    },
  };
  const automator = new Automator({
    ...{ journal, log, runs, datasets, actAs, folders: [] },
    network: (id) => {
      const { digest, process } = catalog.findRunnable("network", id, undefined);
      return { digest, inputs: process.inputs.map((input) => ({ id: input.id, type: presentType(input.type) })) };
    },
  });
  automator.begin();
  return {
    automator,
    automations: automationMethods({ journal, catalog, datasets, automator, actAs, sinkRoots: [] }),
  };
}
