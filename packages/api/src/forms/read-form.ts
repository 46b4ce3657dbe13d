import type { Readable } from "node:stream";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context, Upload } from "../http/context.ts";
import { BODY_DEADLINE_MS } from "../http/http-limits.ts";
import { uploadOf } from "../limits/upload-limiter.ts";
import { letClientSend } from "../http/read-body.ts";
import { brokenForm, openForm, relayContent } from "./open-form.ts";

/** A part of a form with a file name. */
export interface FormFile {
  /** Name of the part; several parts may share it. */
  readonly part: string;
  /** The file name from the client, possibly with folders. */
  readonly fileName: string;
  readonly content: Readable;
}

/** Receives the parts of a form while it arrives. An exception or rejection stops reading. */
export interface FormParts {
  field(part: string, text: string): Promise<void>;
  file(file: FormFile): Promise<void>;
}

export interface FormLimits {
  /** The maximum size of one text field. */
  readonly fieldBytes: number;
  readonly files: number;
}

const MAX_FIELDS = 64;

/** True if the body is a form. */
export function isForm(ctx: Context): boolean {
  return ctx.get("Content-Type").toLowerCase().startsWith("multipart/form-data");
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) completely; resolves when every file is stored. Refuses bodies that
 * are not forms, are truncated or exceed the limits. A form that stalls for a minute is aborted.
 */
export async function readForm(ctx: Context, limits: FormLimits, parts: FormParts): Promise<void> {
  const { req: request } = ctx;
  const { fieldBytes, files } = limits;
  const {
    holdText,
    limits: { formBytes, requestBytes },
  } = uploadOf(ctx);
  const form = openForm(ctx, { fieldSize: Math.min(fieldBytes, formBytes), fields: MAX_FIELDS, files });
  request.setTimeout(BODY_DEADLINE_MS, () => request.destroy(new Refusal("request-timeout", "The form stalled")));
  letClientSend(request, ctx.res);
  const intake = new PartIntake();
  const text = new ByteBudget(
    formBytes,
    `The text fields of the form may have at most ${formBytes} bytes together (--limit form-bytes=N)`,
  );
  form.on("field", (part, value, { valueTruncated }) =>
    intake.accept(() => {
      if (valueTruncated) throw tooLarge(`The part ${part} may have at most ${fieldBytes} bytes`);
      const bytes = Buffer.byteLength(value);
      text.spend(bytes);
      holdText(bytes);
      return parts.field(part, value);
    }),
  );
  form.on("file", (part, content, { filename }) => {
    content.once("error", (error) => intake.fail(brokenForm(error)));
    const fileName = filename ?? part;
    intake.accept(() => relayContent(content, (relayed) => parts.file({ part, fileName, content: relayed })));
  });
  form.on("filesLimit", () => intake.fail(tooLarge(`The form may have at most ${files} files`)));
  form.on("fieldsLimit", () => intake.fail(tooLarge(`The form may have at most ${MAX_FIELDS} other parts`)));
  form.on("close", () => intake.close());
  form.on("error", (error) => intake.fail(brokenForm(error)));
  request.once("error", (error) => form.destroy(error));
  const whole = new ByteBudget(requestBytes, `The form with its files may have at most ${requestBytes} bytes`);
  const meter = (chunk: Buffer) => intake.check(() => whole.spend(chunk.length));
  request.on("data", meter);
  request.pipe(form);
  await intake.ended.finally(() => request.off("data", meter).unpipe(form).resume());
}

/** The parts that are being processed; the first failure ends all. */
class PartIntake {
  readonly #ended = Promise.withResolvers<void>();
  readonly #accepted: Promise<void>[] = [];

  /** Resolves when the form is closed and every part is processed. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  accept(process: () => Promise<void>): void {
    this.check(() => {
      const processed = process();
      this.#accepted.push(processed);
      processed.catch((error: unknown) => this.fail(error));
    });
  }

  /** Runs a check in an event handler, where throwing would end the server. */
  check(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    this.#ended.reject(error);
  }

  close(): void {
    void Promise.all(this.#accepted).then(
      () => this.#ended.resolve(),
      (error: unknown) => this.fail(error),
    );
  }
}

/** Refuses the first byte beyond a limit. */
class ByteBudget {
  #left: number;
  readonly #refusal: string;

  constructor(limit: number, refusal: string) {
    this.#left = limit;
    this.#refusal = refusal;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw tooLarge(this.#refusal);
  }
}

function tooLarge(detail: string): Refusal {
  return new Refusal("body-too-large", detail);
}

/** The bytes of a part that is small enough to keep in memory. */
export async function collectPart(
  { part, content }: Pick<FormFile, "part" | "content">,
  limitBytes: number,
  { holdText }: Upload,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    holdText(chunk.length);
    if (size > limitBytes) throw tooLarge(`The part ${part} may have at most ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
