import { z } from "zod";
import type { CreateRunRequest, Engine } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { createRunSchema, runOptionsSchema, tagsSchema } from "@weft/shared/records/run-record.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { wesRunFormSchema } from "@weft/shared/records/wes-record.ts";
import type { WesRunForm } from "@weft/shared/records/wes-record.ts";
import { replaceFiles } from "../forms/replace-files.ts";
import type { Context } from "../http/context.ts";
import type { JsonLimits } from "../http/http-limits.ts";
import { uploadOf } from "../limits/upload-limiter.ts";
import { parseJsonBody } from "../json/parse-json.ts";
import { bodyErrors } from "../json/issues-to-errors.ts";
import { attachmentFinder, readWesForm, wrongPart } from "./read-wes-form.ts";
import { isMissing, parseCatalogAddress } from "./catalog-address.ts";
import type { CatalogAddress } from "./catalog-address.ts";

const CWL_VERSIONS = ["v1.0", "v1.1", "v1.2"];
const SHOWN_LENGTH = 200;
const MAX_NOTES = 100;

/** The request for a run in Weft's own form, and what the run's record says about the WES request. */
export type ReceivedRun = Required<Pick<CreateRunRequest, "body" | "wes">>;

/** Reads a WES RunRequest, stores its attachments, and returns the requested run. */
export async function receiveWesRun(ctx: Context, engine: Engine): Promise<ReceivedRun> {
  const { fields, attachments } = await readWesForm(ctx, engine.files);
  const form = checkFields(fields);
  const notes = unknownFields(fields);
  notes.push(...engineNotes(form, (await engine.serverInfo(ctx.state.caller)).version));
  const surroundings = { attachments, base: ctx.state.site.base, engine, ctx, notes };
  const body = await toRun(form, surroundings);
  const { workflow_url, workflow_type_version } = form;
  return { body, wes: { workflow_url, workflow_type_version, notes: notes.slice(0, MAX_NOTES) } };
}

/** Clients send fields meant for other servers. They have no effect here, and the run's record says so. */
function unknownFields(fields: ReadonlyMap<string, string>): string[] {
  const known = Object.keys(wesRunFormSchema.shape);
  return [...fields.keys()].filter((name) => !known.includes(name)).map((name) => ignored("field", name));
}

function ignored(what: string, name: string): string {
  return `The ${what} ${JSON.stringify(name.slice(0, SHOWN_LENGTH))} is unknown here and was ignored`;
}

function checkFields(fields: ReadonlyMap<string, string>): WesRunForm {
  const given = Object.fromEntries(fields);
  const parsed = wesRunFormSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const errors = bodyErrors(parsed.error.issues, given, Object.keys(wesRunFormSchema.shape));
  throw new Refusal("invalid-body", "The form is not a RunRequest", { errors });
}

interface Surroundings {
  readonly attachments: ReadonlyMap<string, string>;
  readonly base: string;
  readonly engine: Engine;
  readonly ctx: Context;
  /** Collects a note on everything that is ignored. */
  readonly notes: string[];
}

async function toRun(form: WesRunForm, surroundings: Surroundings): Promise<CreateRun> {
  requireCwl(form);
  const { json } = uploadOf(surroundings.ctx).limits;
  const params = await jsonObject(form.workflow_params, "workflow_params", json);
  const tags = await jsonObject(form.tags, "tags", json);
  const parameters = await jsonObject(form.workflow_engine_parameters, "workflow_engine_parameters", json);
  const { id, kind, version } = findDocument(form.workflow_url, surroundings);
  const run = {
    [kind]: id,
    version,
    inputs: await withAttachments(params, surroundings.attachments),
    tags: checked(tagsSchema, tags, "tags"),
    options: checked(runOptionsSchema, engineParameters(parameters, surroundings.notes), "workflow_engine_parameters"),
  };
  return createRunSchema.parse(run);
}

function requireCwl({ workflow_type, workflow_type_version }: WesRunForm): void {
  if (workflow_type.toUpperCase() !== "CWL") throw wrongPart("workflow_type", "Only CWL runs here");
  if (!CWL_VERSIONS.includes(workflow_type_version))
    throw wrongPart("workflow_type_version", `One of ${CWL_VERSIONS.join(", ")} is known`);
}

/** CWL means the same to every engine, so a request for another engine runs here. */
function engineNotes({ workflow_engine: engine, workflow_engine_version: version }: WesRunForm, own: string): string[] {
  if (engine === undefined && version === undefined) return [];
  if (engine === undefined) throw wrongPart("workflow_engine", "A workflow_engine_version needs its workflow_engine");
  const isOwn = engine.toLowerCase() === "weft" && (version === undefined || version === own);
  if (isOwn) return [];
  const asked = [engine, ...(version === undefined ? [] : [version])].join(" ").slice(0, SHOWN_LENGTH);
  return [`The request named the engine ${asked}; Weft ${own} ran the document`];
}

/** A bare id means a network if there is one, otherwise a tool. */
function findDocument(
  url: string,
  { attachments, base, engine, ctx }: Surroundings,
): CatalogAddress & { readonly kind: "network" | "tool" } {
  if (attachments.has(url))
    throw wrongPart(
      "workflow_url",
      `${url} is an attachment, and this server runs only documents of its catalog: put it there, and give its id`,
    );
  const address = parseCatalogAddress(url, base);
  if (address === undefined)
    throw wrongPart(
      "workflow_url",
      "Give the id of a network or tool of this catalog, its address here, or its TRS address",
    );
  if (address.kind !== undefined) return { ...address, kind: address.kind };
  const isNetwork = attempt(() => engine.catalog.getNetwork(ctx.state.caller, address.id, address.version));
  return { ...address, kind: isNetwork ? "network" : "tool" };
}

function attempt(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch (error) {
    if (error instanceof Refusal && isMissing(error)) return false;
    throw error;
  }
}

/** WES 1.1 requires strings as values; numbers are accepted too. Options of other engines are ignored. */
function engineParameters(given: Record<string, unknown>, notes: string[]): Record<string, unknown> {
  const isNumber = (value: unknown) => typeof value === "string" && /^\d{1,9}$/.test(value);
  const isKnown = (name: string) => Object.hasOwn(runOptionsSchema.shape, name);
  for (const name of Object.keys(given).slice(0, MAX_NOTES))
    if (!isKnown(name)) notes.push(ignored("engine parameter", name));
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => isKnown(name))
      .map(([name, value]) => [name, isNumber(value) ? Number(value) : value]),
  );
}

async function jsonObject(
  text: string | undefined,
  part: string,
  limits: JsonLimits,
): Promise<Record<string, unknown>> {
  if (text === undefined || text.trim() === "") return {};
  return checked(z.record(z.string(), z.unknown()), await parseJsonBody(Buffer.from(text), limits), part);
}

function checked<Value>(schema: z.ZodType<Value>, value: unknown, part: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = bodyErrors(parsed.error.issues, value, []).map((error) => ({
    ...error,
    pointer: `/${part}${error.pointer ?? ""}`,
  }));
  throw new Refusal("invalid-body", `${part} is not valid`, { errors });
}

/** Replaces the relative path of an attachment in a File by the location where it was stored. */
async function withAttachments(
  params: Record<string, unknown>,
  attachments: ReadonlyMap<string, string>,
): Promise<unknown> {
  if (attachments.size === 0) return params;
  const find = attachmentFinder(attachments);
  return replaceFiles(params, (file) => {
    const { path, ...rest } = file;
    const stored = find(String(file["location"] ?? path ?? ""));
    return stored === undefined ? file : { ...rest, location: stored };
  });
}
