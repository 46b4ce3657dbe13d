import type { DatasetQuery, QueryResult } from "@weft/shared/records/dataset-record.ts";
import { openAutomations, type AutomationOptions } from "../../../../src/automate/automation-methods.ts";
import type { Caller } from "../../../../src/port/caller.ts";
import type { RouteMethods } from "../../../../src/port/route-methods.ts";
import { CALLER } from "../client.ts";

export type SampleQuery = (caller: Caller, query: DatasetQuery) => Promise<QueryResult>;

interface Parts extends Pick<AutomationOptions, "journal" | "log" | "runs" | "catalog" | "begin"> {
  /** The current result of a query. */
  readonly query: SampleQuery;
}

/** Reports about folders are lost, so that only the regular checks find anything. */
export function simulateAutomations({ query, ...parts }: Parts): RouteMethods {
  const findSamples: AutomationOptions["findSamples"] = async (caller, { query: asked }) => {
    if (asked === undefined) throw new Error("simulated automations have their own queries");
    return { query: asked, saved: undefined, result: await query(caller, asked) };
  };
  const actAs: AutomationOptions["actAs"] = () => ({ caller: CALLER, role: "runner" });
  return openAutomations({ ...parts, findSamples, actAs, sinks: { folders: {} } });
}
