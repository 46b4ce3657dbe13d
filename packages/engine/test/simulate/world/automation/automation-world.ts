import type { RouteMethods } from "../../../../src/port/route-methods.ts";
import type { Machine } from "../../machine/machine.ts";
import type { LogWatch } from "../invariants/log-watch.ts";
import { AutomationOwner } from "./automation-owner.ts";
import { AutomationWatch } from "./automation-watch.ts";
import type { PlannedAutomation } from "./plan-automation.ts";
import type { SampleQuery } from "./simulate-automations.ts";
import { asQueryResult, SampleFolder } from "./sample-folder.ts";

interface Surroundings {
  readonly machine: Machine;
  readonly log: LogWatch;
  /** Digest of the network that it starts. */
  readonly digest: string;
  /** Undefined while none serves. */
  readonly automations: () => RouteMethods | undefined;
}

/** The folder of an automation, its owner, and what must hold. */
export class AutomationWorld {
  readonly folder: SampleFolder;
  readonly watch: AutomationWatch;
  readonly #owner: AutomationOwner;
  readonly #machine: Machine;

  constructor(planned: PlannedAutomation, { machine, log, digest, automations }: Surroundings) {
    const { loop } = machine;
    this.#machine = machine;
    this.folder = new SampleFolder(machine, planned.samples);
    const breaks = (invariant: string, message: string) => log.breaks(invariant, message);
    this.watch = new AutomationWatch(planned, { nowMs: () => loop.nowMs, breaks, folder: this.folder, digest });
    this.#owner = new AutomationOwner(planned, { loop, automations });
    log.onEvent = ({ type, runId, data }) => this.watch.take(type, runId, data);
  }

  begin(): void {
    this.folder.begin();
    this.#owner.begin();
  }

  readonly query: SampleQuery = async () => {
    const versions = await this.#machine.callLater(() => this.folder.versions());
    this.watch.found(versions);
    return asQueryResult(versions);
  };
}
