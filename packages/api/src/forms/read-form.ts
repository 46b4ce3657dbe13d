import type { Readable } from "node:stream";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import { BODY_DEADLINE_MS } from "../http/http-limits.ts";
import { uploadOf } from "../limits/upload-limiter.ts";
import type { Upload } from "../http/context.ts";
import { letClientSend } from "../http/read-body.ts";
import { openForm } from "./open-form.ts";

/** One part of a form that carries a file name. */
export interface FormFile {
  /** Of the part; several may have the same. */
  readonly part: string;
  /** As the client wrote it, perhaps with folders. */
  readonly fileName: string;
  readonly content: Readable;
}

/** Takes the parts of a form while it arrives. What it throws, or rejects with, ends the reading. */
export interface FormParts {
  field(part: string, text: string): Promise<void>;
  file(file: FormFile): Promise<void>;
}

export interface FormLimits {
  /** One text field. */
  readonly fieldBytes: number;
  readonly files: number;
}

const MOST_FIELDS = 64;

/** True where the body is a form. */
export function isForm(ctx: Context): boolean {
  return ctx.get("Content-Type").toLowerCase().startsWith("multipart/form-data");
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) to its end; resolves when every file was taken. Refuses what is no form,
 * what breaks off, and what is larger than the limits. A form that stands still for a minute is ended.
 */
export async function readForm(ctx: Context, limits: FormLimits, parts: FormParts): Promise<void> {
  const { req: request } = ctx;
  const { fieldBytes, files } = limits;
  const {
    holdText,
    limits: { formBytes, requestBytes },
  } = uploadOf(ctx);
  const form = openForm(ctx, { fieldSize: Math.min(fieldBytes, formBytes), fields: MOST_FIELDS, files });
  request.setTimeout(BODY_DEADLINE_MS, () => request.destroy(new Error("The form stood still")));
  letClientSend(request, ctx.res);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let textBytes = 0;
  const taken: Promise<void>[] = [];
  const attempt = (act: () => void) => {
    try {
      act();
    } catch (error) {
      reject(error);
    }
  };
  const take = (taking: Promise<void>) => {
    taken.push(taking);
    taking.catch(reject);
  };
  form.on("field", (part, text, { valueTruncated }) =>
    attempt(() => {
      if (valueTruncated) throw tooLarge(`The part ${part} may have at most ${fieldBytes} bytes`);
      const bytes = Buffer.byteLength(text);
      textBytes += bytes;
      if (textBytes > formBytes)
        throw tooLarge(
          `The text fields of the form may have at most ${formBytes} bytes together (--limit form-bytes=N)`,
        );
      holdText(bytes);
      take(parts.field(part, text));
    }),
  );
  form.on("file", (part, content, { filename }) => {
    content.once("error", (error) => reject(broken(error)));
    take(parts.file({ part, fileName: filename ?? part, content }));
  });
  form.on("filesLimit", () => reject(tooLarge(`The form may have at most ${files} files`)));
  form.on("fieldsLimit", () => reject(tooLarge(`The form may have at most ${MOST_FIELDS} other parts`)));
  form.on("close", () => void Promise.all(taken).then(() => resolve(), reject));
  form.on("error", (error) => reject(broken(error)));
  request.once("error", (error) => form.destroy(error));
  let receivedBytes = 0;
  const meter = (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > requestBytes)
      reject(tooLarge(`The form with its files may have at most ${requestBytes} bytes`));
  };
  request.on("data", meter);
  request.pipe(form);
  await promise.finally(() => request.off("data", meter).unpipe(form).resume());
}

function broken(error: unknown): Refusal {
  return new Refusal(
    "malformed-request",
    `The form is broken: ${error instanceof Error ? error.message : String(error)}`,
  );
}

function tooLarge(detail: string): Refusal {
  return new Refusal("body-too-large", detail);
}

/** The bytes of a part that is small enough to be kept. */
export async function collectPart(content: Readable, limitBytes: number, { holdText }: Upload): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    holdText(chunk.length);
    if (size > limitBytes) throw tooLarge(`The part may have at most ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
