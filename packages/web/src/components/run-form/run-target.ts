import type { DatasetOfNewRun } from "@weft/shared/records/dataset-record.ts";
import type { InputRecord, OutputRecord, StepRecord } from "@weft/shared/records/process-record.ts";
import { DEFAULT_FAILURE_POLICY } from "@weft/shared/records/run-parts.ts";
import type { CreateRun, Run, RunOptions } from "@weft/shared/records/run-record.ts";
import { links } from "../../format/links.ts";
import type { InputValues } from "./model/form-store.ts";
import { type NamedSamples, namesStillFit, sampleNames } from "./model/named-samples.ts";
import { MEMORY_CHOICES, type RunSettings, START_SETTINGS } from "./model/run-settings.ts";

/** The target of a form: one version of a network or tool, with its declared inputs. */
export interface RunTarget {
  readonly kind: "network" | "tool";
  readonly id: string;
  readonly version: string | null;
  /** The draft to run, which is not in the catalog, at the revision that has these inputs. */
  readonly draft?: { readonly draftId: string; readonly revision: number } | undefined;
  /** Saves a draft as shown, and calls `act` with the target that contains it. Absent: the target never changes. */
  readonly withLatest?: (<Result>(act: (target: RunTarget) => Promise<Result>) => Promise<Result>) | undefined;
  /** Changes with the document: drafts for another version are not reused. */
  readonly digest: string;
  readonly inputs: readonly InputRecord[];
  readonly outputs: readonly OutputRecord[];
  /** The steps; empty for a tool. */
  readonly steps: readonly StepRecord[];
  readonly examples: readonly { readonly name: string; readonly inputs: InputValues }[];
  /** Recorded with the run as long as inputs come from it. */
  readonly dataset?: FilledByQuery | undefined;
}

/** A query of a dataset that filled the form, and the inputs that it filled. */
interface FilledByQuery {
  readonly request: DatasetOfNewRun;
  readonly inputs: InputValues;
}

/** The page that finds samples for a network in datasets. */
export function datasetsOf({ kind, id, draft }: Pick<RunTarget, "kind" | "id" | "draft">): string | undefined {
  return kind === "network" && draft === undefined ? links.datasets({ network: id }) : undefined;
}

/** The settings of an earlier run, except its name. */
export function settingsOf({ options, sink_data: places = {} }: Pick<Run, "options" | "sink_data">): RunSettings {
  const typed = (value: number | undefined): string => (value === undefined ? "" : String(value));
  const factor = options.on_out_of_memory?.multiply;
  return {
    name: "",
    onFailure: options.on_failure ?? START_SETTINGS.onFailure,
    maxParallelJobs: typed(options.max_parallel_jobs),
    retries: typed(options.retries),
    onOutOfMemory: MEMORY_CHOICES.find(({ id }) => id === typed(factor))?.id ?? START_SETTINGS.onOutOfMemory,
    priority: typed(options.priority),
    keepIntermediate: options.keep_intermediate ?? START_SETTINGS.keepIntermediate,
    cache: options.cache ?? START_SETTINGS.cache,
    places,
    sidecars: options.sidecars ?? START_SETTINGS.sidecars,
  };
}

/** Form values other than the settings. */
export interface FormContent {
  readonly values: InputValues;
  readonly samples: NamedSamples | undefined;
}

/** The body of POST /api/runs. */
export function createRunBody(target: RunTarget, content: FormContent, settings: RunSettings): CreateRun {
  const places = placesOf(settings);
  const options: RunOptions = {
    ...(settings.onFailure === DEFAULT_FAILURE_POLICY ? {} : { on_failure: settings.onFailure }),
    ...numberOption("max_parallel_jobs", settings.maxParallelJobs),
    ...numberOption("retries", settings.retries),
    ...MEMORY_CHOICES.find(({ id }) => id === settings.onOutOfMemory)?.option,
    ...numberOption("priority", settings.priority),
    ...(settings.keepIntermediate === "always" ? {} : { keep_intermediate: settings.keepIntermediate }),
    ...(settings.cache === "use" ? {} : { cache: settings.cache }),
    ...(settings.sidecars && places.sink_data !== undefined ? { sidecars: true } : {}),
  };
  return {
    ...nameOf(target),
    ...(settings.name.trim() === "" ? {} : { name: settings.name.trim() }),
    ...inputsOf(target, content),
    ...datasetOf(target, content),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...places,
  };
}

/** The query, unless none of the values that it filled are left. */
function datasetOf({ dataset }: RunTarget, { values }: FormContent): Pick<CreateRun, "dataset"> {
  if (dataset === undefined) return {};
  const textsOf = (value: unknown): string[] => [value].flat().map((one) => JSON.stringify(one));
  const isLeft = Object.entries(dataset.inputs).some(([id, filled]) => {
    const now = new Set(textsOf(values[id]));
    return textsOf(filled).some((text) => now.has(text));
  });
  return isLeft ? { dataset: dataset.request } : {};
}

/** The route of a draft names it already. */
function nameOf({ kind, id, version, draft }: RunTarget): Pick<CreateRun, "network" | "tool" | "version"> {
  if (draft !== undefined) return {};
  return { [kind]: id, ...(version === null ? {} : { version }) };
}

/** Identifies a form whose values the browser keeps: those of a draft outlive its changes. */
export function formKey({ kind, digest, draft }: RunTarget): string {
  return draft === undefined ? `${kind}:${digest}` : `draft:${draft.draftId}`;
}

/** Values of inputs that the document of a draft does not have, or no longer has. They are kept, but not sent. */
export function leftValues({ draft, inputs }: RunTarget, values: InputValues): readonly string[] {
  const known = new Set(inputs.map(({ id }) => id));
  return draft === undefined ? [] : Object.keys(values).filter((id) => !known.has(id));
}

/** The destinations that are not empty. */
export function placesOf({ places }: Pick<RunSettings, "places">): Pick<CreateRun, "sink_data"> {
  const wanted = Object.entries(places)
    .map(([output, place]) => [output, place.trim()] as const)
    .filter(([, place]) => place !== "");
  return wanted.length === 0 ? {} : { sink_data: Object.fromEntries(wanted) };
}

/** The inputs and the user-defined sample names. */
function inputsOf(target: RunTarget, { values, samples }: FormContent): Pick<CreateRun, "inputs" | "samples"> {
  const left = new Set(leftValues(target, values));
  const inputs = Object.fromEntries(Object.entries(values).filter(([id]) => !left.has(id)));
  const isNamed = samples !== undefined && namesStillFit(samples, inputs);
  return { inputs, ...(isNamed ? { samples: sampleNames(samples) } : {}) };
}

function numberOption(name: "max_parallel_jobs" | "retries" | "priority", typed: string): RunOptions {
  const value = Number(typed);
  return typed.trim() === "" || Number.isNaN(value) ? {} : { [name]: value };
}

/** Inputs without secrets, which drafts may keep. */
export function withoutSecrets({ inputs }: Pick<RunTarget, "inputs">, values: InputValues): InputValues {
  const secret = new Set(inputs.filter((input) => input.secret === true).map(({ id }) => id));
  return Object.fromEntries(Object.entries(values).filter(([id]) => !secret.has(id)));
}

/** File inputs that only select a tool's program have a default that users seldom change: they come last. */
export function isAdvanced(input: InputRecord): boolean {
  return input.default !== undefined && /^(File|Directory)(\[\])?\??$/.test(input.type_text);
}
