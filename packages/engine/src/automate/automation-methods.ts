import { randomUUID } from "node:crypto";
import { changeableOwner } from "../access/visible-runs.ts";
import type { Automation, AutomationHistory, AutomationSettings } from "@weft/shared/records/automation-record.ts";
import type { AutomationState } from "@weft/shared/records/automation-names.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { itemWithKey, keyOf } from "../runs/begin/start-run.ts";
import { presentType } from "../catalog/present-type.ts";
import type { SinkFolders } from "../sink/folders/sink-folders.ts";
import { Automator, type AutomatorOptions } from "./automator.ts";
import { nextTime, scheduleProblem } from "./occasions.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Journal } from "../journal/journal.ts";
import { readAutomations, type AutomationRow, type HistoryRow } from "./read-automations.ts";
import type { ActAs, Caller } from "../port/caller.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { Agent, FindSamples } from "../port/engine.ts";
import { timeText } from "../present/present-time.ts";
import { checkSinks } from "../sink/check-sinks.ts";
import { checkInputs } from "@weft/cwl/files/check-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { secretInputs } from "@weft/cwl/model/secret-inputs.ts";
import { checkObject } from "@weft/cwl/values/checked-value.ts";
import type { InputProblem } from "@weft/cwl/values/input-problem.ts";

export interface AutomationOptions extends Pick<
  AutomatorOptions,
  "journal" | "runs" | "findSamples" | "actAs" | "log"
> {
  readonly catalog: Catalog;
  readonly sinks: Pick<SinkFolders, "folders">;
  readonly automationIntervalMs?: number | undefined;
  readonly begin: (agent: Agent) => void;
}

/** Automations start runs by themselves once the server listens. */
export function openAutomations({ sinks, begin, ...options }: AutomationOptions): RouteMethods {
  const { journal, catalog, findSamples, actAs, runs, log, automationIntervalMs: intervalMs } = options;
  const automator = new Automator({
    ...{ journal, runs, findSamples, actAs, log, intervalMs },
    network: (id) => {
      const { digest, process } = catalog.findRunnable("network", id, undefined);
      return { digest, inputs: process.inputs.map((input) => ({ id: input.id, type: presentType(input.type) })) };
    },
  });
  begin(automator);
  return automationMethods({ journal, catalog, findSamples, automator, actAs, sinkRoots: Object.keys(sinks.folders) });
}

interface AutomationServices {
  readonly journal: Journal;
  readonly catalog: Pick<Catalog, "findRunnable">;
  readonly findSamples: FindSamples;
  readonly automator: Pick<Automator, "plan">;
  readonly actAs: ActAs;
  /** Names of output destinations. */
  readonly sinkRoots: readonly string[];
}

const MAX_AUTOMATIONS = 200;
const MAX_INPUT_CHARACTERS = 65_536;
const SHOWN_HISTORY = 200;

function automationMethods(services: AutomationServices): RouteMethods {
  const { journal, automator } = services;
  const read = readAutomations(journal.read);
  return {
    "GET /api/automations": ({ caller }) => ({
      automations: read.automations(changeableOwner(caller)).map((row) => present(row, journal)),
    }),
    "POST /api/automations": async ({ caller, body: settings, headers }) => {
      const { principal: owner, credential } = caller;
      const key = keyOf({ idempotencyKey: headers["idempotency-key"], fingerprint: settings });
      const earlier = itemWithKey(owner, key, { journal });
      if (earlier !== undefined) return present(requireAutomation(caller, earlier, journal), journal);
      await requireValid(caller, settings, services);
      if (read.automations().length >= MAX_AUTOMATIONS)
        throw new Refusal("conflict", `There are already ${MAX_AUTOMATIONS} automations. Delete some first.`);
      const automation_id = randomUUID();
      const idempotency = key && { key: key.key, body_digest: key.digest() };
      const data = { automation_id, owner, settings, ...(credential && { credential }), ...(key && { idempotency }) };
      await journal.append([{ type: "automation.created", run_id: null, actor: owner, data }]);
      const id = itemWithKey(owner, key, { journal }) ?? automation_id;
      return present(requireAutomation(caller, id, journal), journal);
    },
    "DELETE /api/automations/{automation_id}": async ({ caller, params: { automation_id: id } }) => {
      const { owner } = requireAutomation(caller, id, journal);
      const data = { automation_id: id, owner };
      await journal.append([{ type: "automation.removed", run_id: null, actor: caller.principal, data }]);
    },
    "POST /api/automation-plans": async ({ caller, body: settings }) => {
      await requireValid(caller, settings, services);
      const subject = { automationId: "", owner: caller.principal, settings, createdMs: journal.nowMs() };
      return automator.plan(subject, caller);
    },
    "GET /api/automations/{automation_id}/plan": ({ caller, params }) =>
      automator.plan(requireAutomation(caller, params.automation_id, journal), caller),
    "GET /api/automations/{automation_id}/history": ({ caller, params: { automation_id: id } }) => {
      requireAutomation(caller, id, journal);
      return { history: read.automationHistory(id, SHOWN_HISTORY).map((row) => presentEntry(row, journal)) };
    },
    "POST /api/automations/{automation_id}/pause": ({ caller, params }) =>
      change(caller, params, { state: "paused", reason: `${caller.principal} paused it` }, journal),
    "POST /api/automations/{automation_id}/resume": ({ caller, params }) =>
      change(caller, params, { state: "active", reason: "" }, journal),
  };
}

async function change(
  caller: Caller,
  { automation_id }: { readonly automation_id: string },
  to: { readonly state: AutomationState; readonly reason: string },
  journal: Journal,
): Promise<Automation> {
  const { owner } = requireAutomation(caller, automation_id, journal);
  const data = { automation_id, owner, ...to };
  await journal.append([{ type: "automation.changed", run_id: null, actor: caller.principal, data }]);
  return present(requireAutomation(caller, automation_id, journal), journal);
}

function requireAutomation(caller: Caller, id: string, { read }: Pick<Journal, "read">): AutomationRow {
  const row = readAutomations(read).automation(id);
  const owner = changeableOwner(caller);
  if (row !== undefined && (owner === undefined || row.owner === owner)) return row;
  throw new Refusal("not-found", `There is no automation ${id}.`);
}

/** Refuses settings that could never start a run. */
async function requireValid(
  caller: Caller,
  { network, trigger, dataset, inputs = {}, sink_data: destinations = {} }: AutomationSettings,
  { catalog, findSamples, actAs, journal, sinkRoots: roots }: AutomationServices,
): Promise<void> {
  const { process } = catalog.findRunnable("network", network, undefined);
  if (trigger.kind === "run-ended") catalog.findRunnable("network", trigger.network, undefined);
  const problem = scheduleProblem(trigger);
  if (problem !== undefined) throw invalid("/trigger", `the schedule is not valid: ${problem}`);
  if (JSON.stringify(inputs).length > MAX_INPUT_CHARACTERS)
    throw invalid("/inputs", `the inputs have more than ${MAX_INPUT_CHARACTERS} characters`);
  const secret = [...secretInputs(process)].find((id) => id in inputs);
  if (secret !== undefined) throw invalid(`/inputs/${secret}`, "the log would keep the secret");
  const unfit = unfitInput(process, inputs, dataset === undefined);
  if (unfit !== undefined) throw invalid(`/inputs${unfit.pointer}`, unfit.message);
  const [wrong] = checkSinks(destinations, { process, samples: {}, roots });
  if (wrong !== undefined) throw invalid(wrong.pointer ?? "/sink_data", wrong.detail);
  const { principal: owner, credential = null } = caller;
  if (actAs({ owner, credential, createdMs: journal.nowMs() }) === undefined)
    throw new Refusal(
      "forbidden",
      `Weft cannot check the role of ${caller.principal} while they are away. Sign in with a named token (weft token create).`,
    );
  if (dataset !== undefined) await findSamples(caller, dataset);
}

/** The first input that does not fit. A query gives the inputs that are missing. */
function unfitInput(
  process: Process,
  raw: Readonly<Record<string, unknown>>,
  isWhole: boolean,
): Pick<InputProblem, "pointer" | "message"> | undefined {
  const { values, problems } = checkObject(raw, DEFAULT_LIMITS);
  return problems[0] ?? checkInputs(process, values).find(({ code }) => isWhole || code !== "missing");
}

function invalid(pointer: string, detail: string): Refusal {
  return new Refusal("invalid-body", `The automation is not valid: ${detail}.`, {
    errors: [{ pointer, code: "not-allowed", detail }],
  });
}

function present(row: AutomationRow, { read, nowMs }: Pick<Journal, "read" | "nowMs">): Automation {
  const { automationId, owner, settings, state, reason, createdMs } = row;
  const automations = readAutomations(read);
  const { runs, samples } = automations.automationCounts(automationId, 0);
  const [last] = automations.automationHistory(automationId, 1);
  const next = state === "active" ? nextTime(settings.trigger, nowMs()) : null;
  return {
    ...settings,
    ...{ automation_id: automationId, owner, state, reason },
    created_at: timeText(createdMs),
    next_at: next === null ? null : timeText(next),
    runs_started: runs,
    samples_started: samples,
    last_failure: last?.kind === "failed" ? last.detail : "",
  };
}

type Entry = AutomationHistory["history"][number];

function presentEntry(row: HistoryRow, { read }: Pick<Journal, "read">): Entry {
  const { timeMs, kind, runId, samples, detail, actor } = row;
  const run = runId === null ? undefined : read.run(runId);
  const ofRun = { run_id: runId, run_name: run?.name ?? null, run_state: run?.state ?? null };
  return { at: timeText(timeMs), kind, ...ofRun, samples, detail, actor };
}
