import { basename } from "node:path";
import { z } from "zod";
import type { Engine } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { createRunSchema, runOptionsSchema, tagsSchema } from "@weft/shared/records/run-record.ts";
import type { CreateRun } from "@weft/shared/records/run-record.ts";
import { wesRunFormSchema } from "@weft/shared/records/wes-record.ts";
import type { WesRunForm } from "@weft/shared/records/wes-record.ts";
import { readForm } from "../forms/read-form.ts";
import { replaceFiles } from "../forms/replace-files.ts";
import type { Context } from "../http/context.ts";
import { RUN_BODY_LIMIT } from "../http/http-limits.ts";
import type { JsonLimits } from "../http/http-limits.ts";
import { uploadOf } from "../limits/upload-limiter.ts";
import { parseJsonBody } from "../json/parse-json.ts";
import { bodyErrors } from "../json/issues-to-errors.ts";
import { isMissing, parseCatalogAddress } from "./catalog-address.ts";
import type { CatalogAddress } from "./catalog-address.ts";

const ATTACHMENT = "workflow_attachment";
const CWL_VERSIONS = ["v1.0", "v1.1", "v1.2"];
const MAX_FILES = 1000;

/** Reads a WES RunRequest form, stores its attachments, and gives the run that it asks for in our own words. */
export async function receiveWesRun(ctx: Context, engine: Engine): Promise<CreateRun> {
  const { caller } = ctx.state;
  const fields = new Map<string, string>();
  const attachments = new Map<string, string>();
  await readForm(
    ctx,
    { fieldBytes: RUN_BODY_LIMIT, files: MAX_FILES },
    {
      field: async (part, text) => {
        if (fields.has(part)) throw wrong(part, "Duplicate part");
        fields.set(part, text);
      },
      file: async ({ part, fileName, content }) => {
        if (part !== ATTACHMENT) throw wrong(part, `Files come in parts called ${ATTACHMENT}`);
        if (attachments.has(fileName)) throw wrong(ATTACHMENT, `Two attachments are called ${fileName}`);
        attachments.set(fileName, "");
        attachments.set(fileName, (await engine.files.upload(caller, basename(fileName), content)).location);
      },
    },
  );
  const form = checkFields(fields);
  requireEngine(form, (await engine.serverInfo(caller)).version);
  return toRun(form, { attachments, base: ctx.state.site.base, engine, ctx });
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
    options: checked(runOptionsSchema, engineParameters(parameters), "workflow_engine_parameters"),
  };
  return createRunSchema.parse(run);
}

function requireCwl({ workflow_type, workflow_type_version }: WesRunForm): void {
  if (workflow_type.toUpperCase() !== "CWL") throw wrong("workflow_type", "Only CWL runs here");
  if (!CWL_VERSIONS.includes(workflow_type_version))
    throw wrong("workflow_type_version", `One of ${CWL_VERSIONS.join(", ")} is known`);
}

/** A version without its engine says nothing (WES 1.1 RunRequest). */
function requireEngine({ workflow_engine: engine, workflow_engine_version: version }: WesRunForm, own: string): void {
  if (engine !== undefined && engine.toLowerCase() !== "weft")
    throw wrong("workflow_engine", "The only engine here is weft");
  if (version === undefined) return;
  if (engine === undefined) throw wrong("workflow_engine", "A workflow_engine_version needs its workflow_engine");
  if (version !== own) throw wrong("workflow_engine_version", `The engine here has the version ${own}`);
}

/** A bare id is a network's before it is a tool's. */
function findDocument(
  url: string,
  { attachments, base, engine, ctx }: Surroundings,
): CatalogAddress & { readonly kind: "network" | "tool" } {
  if (attachments.has(url))
    throw wrong(
      "workflow_url",
      `${url} is an attachment, and this server runs only documents of its catalog: put it there, and give its id`,
    );
  const address = parseCatalogAddress(url, base);
  if (address === undefined)
    throw wrong(
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

/** WES 1.1 wants texts as values; numbers are taken as well. */
function engineParameters(given: Record<string, unknown>): Record<string, unknown> {
  const isNumber = (value: unknown) => typeof value === "string" && /^\d{1,9}$/.test(value);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, isNumber(value) ? Number(value) : value]),
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

/** Files that name an attachment by its relative path get the location that it was stored at. */
async function withAttachments(
  params: Record<string, unknown>,
  attachments: ReadonlyMap<string, string>,
): Promise<unknown> {
  if (attachments.size === 0) return params;
  return replaceFiles(params, (file) => {
    const { path, ...rest } = file;
    const stored = attachments.get(String(file["location"] ?? path ?? "").replace(/^\.\//, ""));
    return stored === undefined ? file : { ...rest, location: stored };
  });
}

function wrong(part: string, detail: string): Refusal {
  const error: ProblemError = { pointer: `/${part}`, code: "invalid-part", detail };
  return new Refusal("invalid-body", `The form is not a RunRequest`, { errors: [error] });
}
