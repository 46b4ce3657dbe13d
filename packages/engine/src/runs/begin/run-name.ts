import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { fillTemplate, parseTemplate, type NameTemplate } from "@weft/shared/text/name-template.ts";
import type { ResolvedRequest } from "./resolve-request.ts";

const MAX_NAME = 200;
/** Maximum length of one value. */
const MAX_VALUE = 40;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const RETRY = "Retry of ";

/**
 * Distinguishes the runs of one process in a list: `Imaging cohort, 6 images, 23 Nov 00:51`. A run without named samples is named
 * after the first input that was given a value other than its default. The time is the local time of the server.
 */
export function runName(
  { entry, samples, values, secrets }: Pick<ResolvedRequest, "entry" | "samples" | "values" | "secrets">,
  nowMs: number,
): string {
  const { process, place } = entry;
  const title = process.label ?? place.id;
  const subject = samplesText(samples) ?? (secrets.texts.size > 0 ? undefined : inputText(values, process.inputs));
  return [title.slice(0, MAX_NAME - MAX_VALUE * 3), subject, timeText(nowMs)]
    .filter((part) => part !== undefined)
    .join(", ");
}

interface Templated {
  readonly template: RunNameTemplate;
  readonly nowMs: number;
  readonly owner: string;
}

/** The name that an administrator's template makes; the usual name if it makes none. */
export function templatedRunName(
  request: Pick<ResolvedRequest, "entry" | "samples" | "values" | "secrets">,
  { template, nowMs, owner }: Templated,
): string {
  const { entry, samples, values } = request;
  const { process, place } = entry;
  const names = new Set(Object.values(samples).flat());
  const list = process.inputs.map(({ id }) => values[id]).find((value) => Array.isArray(value));
  const count = names.size > 0 ? names.size : Array.isArray(list) ? list.length : 1;
  const time = new Date(nowMs);
  const name = fillRunName(template, {
    ...{ network: shortened(process.label ?? place.id), id: place.id, version: place.version ?? "", owner },
    ...{ "subject count": String(count), subject: samplesText(samples) ?? `${count} items` },
    date: `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`,
    time: `${two(time.getHours())}:${two(time.getMinutes())}`,
  });
  return name === "" ? runName(request, nowMs) : name.slice(0, MAX_NAME);
}

/** The name of a retry, or of a retry of a retry. */
export function retryName(name: string): string {
  return `${RETRY}${name.startsWith(RETRY) ? name.slice(RETRY.length) : name}`.slice(0, MAX_NAME);
}

function samplesText(samples: Readonly<Record<string, readonly string[]>>): string | undefined {
  const names = new Set(Object.values(samples).flat());
  const [only] = names;
  if (only === undefined) return undefined;
  return names.size === 1 ? shortened(only) : `${names.size} samples`;
}

function inputText(values: CwlObject, inputs: ResolvedRequest["entry"]["process"]["inputs"]): string | undefined {
  for (const { id, default: fallback } of inputs) {
    const value = values[id];
    if (value === undefined || value === null || value === fallback) continue;
    const text = valueText(id, value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Undefined if a value has no short form. */
function valueText(id: string, value: CwlValue): string | undefined {
  if (Array.isArray(value)) {
    const [only, second] = value;
    if (second !== undefined) return `${value.length} ${shortened(id)}`;
    return only === undefined || only === null ? undefined : valueText(id, only);
  }
  if (typeof value === "object" && value !== null) {
    const basename = "basename" in value ? value["basename"] : undefined;
    const location = "location" in value ? value["location"] : undefined;
    const name = typeof basename === "string" ? basename : lastSegment(location);
    return name === undefined ? undefined : shortened(name);
  }
  return `${shortened(id)} ${shortened(String(value))}`;
}

function lastSegment(location: unknown): string | undefined {
  const last = typeof location === "string" ? location.replace(/\/+$/, "").split("/").at(-1) : undefined;
  return last === undefined || last === "" || /[:,?#]/.test(last) ? undefined : last;
}

/** Shortens a value, without line breaks and other control characters. */
function shortened(text: string): string {
  const plain = text
    .slice(0, MAX_VALUE * 2)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return plain.length > MAX_VALUE ? `${plain.slice(0, MAX_VALUE - 1)}…` : plain;
}

function timeText(ms: number): string {
  const time = new Date(ms);
  return `${time.getDate()} ${MONTHS[time.getMonth()]} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** Fields of a template (docs/how-to/manage-runs.md). */
export const RUN_NAME_FIELDS = [
  "network",
  "id",
  "version",
  "subject count",
  "subject",
  "owner",
  "date",
  "time",
] as const;

type RunNameField = (typeof RUN_NAME_FIELDS)[number];
export type RunNameTemplate = NameTemplate<RunNameField>;

/** Templates of names by ID of a network or tool; "" for all others. */
export type RunNameTemplates = Readonly<Record<string, RunNameTemplate>>;

/** Parses a template; for an invalid one, returns the problem as the end of a sentence. */
export function parseRunName(text: string): RunNameTemplate | string {
  if (text.trim() === "" || text.length > MAX_NAME || /\p{Cc}/u.test(text))
    return `must be one line of 1 to ${MAX_NAME} characters`;
  return parseTemplate(text, isField);
}

/** Empty if the template makes no name. */
export function fillRunName(template: RunNameTemplate, values: Readonly<Record<RunNameField, string>>): string {
  const filled = fillTemplate(template, values);
  return typeof filled === "string" ? "" : filled.name.trim();
}

function isField(name: string): name is RunNameField {
  return RUN_NAME_FIELDS.some((field) => field === name);
}
