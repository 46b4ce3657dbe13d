import { basename } from "node:path";
import type { EngineFiles } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { collectPart, isForm, readForm, type FormFile } from "../forms/read-form.ts";
import type { Context } from "../http/context.ts";
import { RUN_BODY_LIMIT } from "../http/http-limits.ts";
import { readBody } from "../http/read-body.ts";
import { uploadOf } from "../limits/upload-limiter.ts";

const ATTACHMENT = "workflow_attachment";
const MAX_FILES = 1000;
const MAX_URLENCODED_FIELDS = 64;

/** A RunRequest as it arrived. */
export interface WesRequestParts {
  readonly fields: ReadonlyMap<string, string>;
  /** Locations of the stored attachments by the file names that the client gave them. */
  readonly attachments: ReadonlyMap<string, string>;
}

/**
 * Reads a RunRequest and stores its attachments. Requests without attachments may be urlencoded; some clients send
 * fields as files.
 */
export async function readWesForm(ctx: Context, files: EngineFiles): Promise<WesRequestParts> {
  if (isForm(ctx)) return readMultipart(ctx, files);
  const [type = ""] = ctx.get("Content-Type").toLowerCase().split(";", 1);
  if (type.trim() === "application/x-www-form-urlencoded") return readUrlencoded(ctx);
  const accepted = "multipart/form-data, application/x-www-form-urlencoded";
  throw new Refusal("unsupported-media-type", `Send a run request as ${accepted}`, { headers: { Accept: accepted } });
}

async function readMultipart(ctx: Context, files: EngineFiles): Promise<WesRequestParts> {
  const { caller } = ctx.state;
  const fields = new Map<string, string>();
  const attachments = new Map<string, string>();
  const setField = (part: string, text: string) => {
    if (fields.has(part)) throw wrongPart(part, "Duplicate part");
    fields.set(part, text);
  };
  await readForm(
    ctx,
    { fieldBytes: RUN_BODY_LIMIT, files: MAX_FILES },
    {
      field: async (part, text) => setField(part, text),
      file: async ({ part, fileName, content }: FormFile) => {
        if (part !== ATTACHMENT)
          return setField(part, (await collectPart({ part, content }, RUN_BODY_LIMIT, uploadOf(ctx))).toString("utf8"));
        if (attachments.has(fileName)) throw wrongPart(ATTACHMENT, `Two attachments are called ${fileName}`);
        attachments.set(fileName, "");
        attachments.set(fileName, (await files.upload(caller, basename(fileName), content)).location);
      },
    },
  );
  return { fields, attachments };
}

async function readUrlencoded(ctx: Context): Promise<WesRequestParts> {
  const upload = uploadOf(ctx);
  const bytes = await readBody(ctx.req, ctx.res, { limitBytes: Math.min(RUN_BODY_LIMIT, upload.limits.formBytes) });
  upload.holdText(bytes.length);
  const fields = new Map<string, string>();
  for (const [name, text] of new URLSearchParams(bytes.toString("utf8"))) {
    if (fields.has(name)) throw wrongPart(name, "Duplicate part");
    if (fields.size >= MAX_URLENCODED_FIELDS)
      throw new Refusal("body-too-large", `The form may have at most ${MAX_URLENCODED_FIELDS} fields`);
    fields.set(name, text);
  }
  return { fields, attachments: new Map() };
}

export function wrongPart(part: string, detail: string): Refusal {
  const error: ProblemError = { pointer: `/${part}`, code: "invalid-part", detail };
  return new Refusal("invalid-body", "The form is not a RunRequest", { errors: [error] });
}

/**
 * Finds the name of the attachment that a path refers to: the path itself, or the end of a local path on the client's
 * machine.
 */
export function attachmentFinder(attachments: WesRequestParts["attachments"]): (path: string) => string | undefined {
  const byEnd = new Map([...attachments.keys()].map((name) => [name.replace(/^(?:\.{1,2}\/)+/, ""), name]));
  const longest = Math.max(0, ...[...byEnd.keys()].map((name) => name.length));
  return (path) => {
    const exact = [path, path.replace(/^\.\//, "")].find((name) => attachments.has(name));
    const local = path.replace(/^file:\/\/(?=\/)/, "");
    if (exact !== undefined || !local.startsWith("/")) return exact;
    // The longest name that the path ends with.
    let slash = local.indexOf("/", Math.max(0, local.length - longest - 1));
    for (; slash !== -1; slash = local.indexOf("/", slash + 1)) {
      const name = byEnd.get(local.slice(slash + 1));
      if (name !== undefined) return name;
    }
    return undefined;
  };
}
