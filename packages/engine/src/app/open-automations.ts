import { Automator } from "../automate/automator.ts";
import { presentType } from "../catalog/present-type.ts";
import type { EngineDatasets, EngineRuns } from "../port/engine.ts";
import type { EngineParts } from "./engine-port.ts";
import { resolveAll } from "./server-state.ts";

type Parts = Pick<EngineParts, "options" | "state" | "catalog" | "notifications" | "agents">;

/** Starts runs by themselves from when the server listens. */
export function openAutomations(
  { options, state, catalog, notifications, agents }: Parts,
  asked: { readonly runs: EngineRuns; readonly datasets: EngineDatasets },
): Automator {
  const { journal, failed } = state;
  const { listening, automationIntervalMs: intervalMs, log, dataFolders } = options;
  const automator = new Automator({
    ...asked,
    ...{ journal, intervalMs, log },
    actAs: notifications.actAs,
    network: (id) => {
      const { digest, process } = catalog.findRunnable("network", id, undefined);
      return { digest, inputs: process.inputs.map((input) => ({ id: input.id, type: presentType(input.type) })) };
    },
    folders: Object.values(resolveAll(dataFolders)),
  });
  agents.push(automator);
  void failed.then(() => automator.close());
  if (listening === undefined) automator.begin();
  else void listening.then(() => automator.begin());
  return automator;
}
