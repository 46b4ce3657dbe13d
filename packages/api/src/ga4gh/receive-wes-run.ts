import { z } from "zod";
import type { ArrivedDocument, CreateRunRequest, Engine } from "@weft/engine/port/engine.ts";
import { documentDigestSchema } from "@weft/shared/records/primitives.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { createRunSchema, runOptionsSchema, tagsSchema, type CreateRun } from "@weft/shared/records/run-record.ts";
import { wesRunFormSchema, type WesRunForm } from "@weft/shared/records/wes-record.ts";
import { parsePart } from "../forms/parse-part.ts";
import { replaceFiles } from "../forms/replace-files.ts";
import type { Context } from "../http/context.ts";
import type { JsonLimits } from "../http/http-limits.ts";
import { uploadOf } from "../limits/upload-limiter.ts";
import { bodyErrors } from "../json/issues-to-errors.ts";
import { attachmentFinder, readWesForm, wrongPart } from "./read-wes-form.ts";
import { hasNetwork, parseCatalogAddress, type CatalogAddress } from "./catalog-address.ts";

const CWL_VERSIONS = ["v1.0", "v1.1", "v1.2"];
const SHOWN_LENGTH = 200;
const MAX_NOTES = 100;

/** The request for a run in Weft's own form, and the note about the WES request for the run's record. */
export type ReceivedRun = Required<Pick<CreateRunRequest, "body" | "wes">> & Pick<CreateRunRequest, "document">;

/** A stored document, or one that is not in the catalog. */
type Wanted =
  | { readonly named: CatalogAddress & { readonly kind: "network" | "tool" } }
  | { readonly document: string };

/** Called when a request has added a document. */
export type OnDocument = (digest: string) => Promise<void>;

/** Reads a WES RunRequest, stores its attachments, and returns the requested run. */
export async function receiveWesRun(ctx: Context, engine: Engine, onDocument: OnDocument): Promise<ReceivedRun> {
  const { fields, attachments } = await readWesForm(ctx, engine.files);
  const form = checkFields(fields);
  const notes = unknownFields(fields);
  notes.push(...engineNotes(form, (await engine.serverInfo(ctx.state.caller)).version));
  const surroundings = { attachments, base: ctx.state.site.base, engine, ctx, notes, onDocument };
  const run = await toRun(form, surroundings);
  const { workflow_url, workflow_type_version } = form;
  return { ...run, wes: { workflow_url, workflow_type_version, notes: notes.slice(0, MAX_NOTES) } };
}

/** Notes for fields that clients send for other servers, which have no effect on this one. */
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
  /** Collects a note about each ignored part. */
  readonly notes: string[];
  readonly onDocument: OnDocument;
}

async function toRun(
  form: WesRunForm,
  surroundings: Surroundings,
): Promise<{ readonly body: CreateRun; readonly document?: string }> {
  requireCwl(form);
  const { json } = uploadOf(surroundings.ctx).limits;
  const params = await jsonObject(form.workflow_params, "workflow_params", json);
  const tags = await jsonObject(form.tags, "tags", json);
  const parameters = await jsonObject(form.workflow_engine_parameters, "workflow_engine_parameters", json);
  const run = {
    inputs: await withAttachments(params, surroundings.attachments),
    tags: checked(tagsSchema, tags, "tags"),
    options: checked(runOptionsSchema, engineParameters(parameters, surroundings.notes), "workflow_engine_parameters"),
  };
  const requested = await findDocument(form.workflow_url, surroundings);
  if ("document" in requested) return { body: createRunSchema.parse(run), document: requested.document };
  const { id, kind, version } = requested.named;
  return { body: createRunSchema.parse({ ...run, [kind]: id, version }) };
}

function requireCwl({ workflow_type, workflow_type_version }: WesRunForm): void {
  if (workflow_type.toUpperCase() !== "CWL") throw wrongPart("workflow_type", "This server runs only CWL");
  if (!CWL_VERSIONS.includes(workflow_type_version))
    throw wrongPart("workflow_type_version", `Use one of ${CWL_VERSIONS.join(", ")}`);
}

/** Notes about another requested engine: the run starts anyway, because CWL is independent of engines. */
function engineNotes({ workflow_engine: engine, workflow_engine_version: version }: WesRunForm, own: string): string[] {
  if (engine === undefined && version === undefined) return [];
  if (engine === undefined) throw wrongPart("workflow_engine", "A workflow_engine_version needs its workflow_engine");
  const isOwn = engine.toLowerCase() === "weft" && (version === undefined || version === own);
  if (isOwn) return [];
  const asked = [engine, ...(version === undefined ? [] : [version])].join(" ").slice(0, SHOWN_LENGTH);
  return [`The request named the engine ${asked}; Weft ${own} ran the document`];
}

/** Looks for an attachment first, then in the catalog, then in documents that arrived earlier, then on other servers. */
async function findDocument(url: string, surroundings: Surroundings): Promise<Wanted> {
  const { attachments, base, engine, ctx } = surroundings;
  const { wesDocuments } = engine;
  const [file = "", ...fragment] = url.split("#");
  const name = attachmentFinder(attachments)(file);
  if (name !== undefined) {
    if (!wesDocuments.isOn) throw wrongPart("workflow_url", `${url} is an attachment, and ${CATALOG_ONLY}`);
    return addDocument({ files: attachments, primary: [name, ...fragment].join("#"), source: url }, surroundings);
  }
  const address = parseCatalogAddress(url, base);
  if (address !== undefined) return { named: withKind(address, surroundings) };
  const stored = storedDigest(url, base);
  if (stored !== undefined) return { document: stored };
  const fetched = wesDocuments.isOn ? await wesDocuments.fetch(ctx.state.caller, url) : undefined;
  if (fetched === undefined) throw wrongPart("workflow_url", wesDocuments.isOn ? ANY_DOCUMENT : CATALOG_DOCUMENT);
  const isAlone = fetched.files.size === 1;
  const files = isAlone ? new Map([...attachments, ...fetched.files]) : fetched.files;
  return addDocument({ files, primary: fetched.primary, source: url }, surroundings);
}

const CATALOG_DOCUMENT = "Give the ID of a network or tool of this catalog, its address here, or its TRS address";
const ANY_DOCUMENT = `${CATALOG_DOCUMENT}; or the name of an attachment, or the address of a document on an allowed host`;
const CATALOG_ONLY =
  "this server runs only documents of its catalog: put it there, and give its ID (admins can allow documents with --wes-documents)";

async function addDocument(
  document: ArrivedDocument,
  { engine, ctx, onDocument }: Surroundings,
): Promise<{ readonly document: string }> {
  const { digest, isNew } = await engine.wesDocuments.add(ctx.state.caller, document);
  if (isNew) await onDocument(digest);
  return { document: digest };
}

/** The digest of a stored document, from its address or given directly. */
function storedDigest(url: string, base: string): string | undefined {
  const start = `${base}/api/wes-documents/`;
  const text = url.startsWith(start) ? url.slice(start.length) : url;
  return documentDigestSchema.safeParse(text).data;
}

/** A bare id means a network if there is one, otherwise a tool. */
function withKind(address: CatalogAddress, { engine, ctx }: Surroundings) {
  if (address.kind !== undefined) return { ...address, kind: address.kind };
  const isNetwork = hasNetwork(engine.catalog, ctx.state.caller, address);
  return { ...address, kind: isNetwork ? ("network" as const) : ("tool" as const) };
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
  const value = await parsePart(Buffer.from(text), `/${part}`, limits).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message, { errors: inPart(part, error.errors) });
  });
  return checked(z.record(z.string(), z.unknown()), value, part);
}

function checked<Value>(schema: z.ZodType<Value>, value: unknown, part: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = inPart(part, bodyErrors(parsed.error.issues, value, []));
  throw new Refusal("invalid-body", `${part} is not valid`, { errors });
}

function inPart(part: string, errors: readonly ProblemError[]): readonly ProblemError[] {
  return errors.map((error) => ({ ...error, pointer: `/${part}${error.pointer ?? ""}` }));
}

/** Replaces the relative path of an attachment in a File with the location where it was stored. */
async function withAttachments(
  params: Record<string, unknown>,
  attachments: ReadonlyMap<string, string>,
): Promise<unknown> {
  if (attachments.size === 0) return params;
  const find = attachmentFinder(attachments);
  return replaceFiles(params, (file) => {
    const { path, ...rest } = file;
    const { location } = file;
    const name = find(typeof location === "string" ? plainPath(location) : String(path ?? ""));
    return name === undefined ? file : { ...rest, location: attachments.get(name) };
  });
}

/** A location is a URI reference, in which `%20` is a space. An address of another server stays as it is. */
function plainPath(location: string): string {
  if (/^(?!file:)[a-z][a-z0-9+.-]*:/i.test(location)) return location;
  return location.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      // Escapes that are not UTF-8 name no attachment.
      return escapes;
    }
  });
}
