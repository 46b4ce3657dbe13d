import { z } from "zod";

/** RFC 3339 in UTC with milliseconds: `2026-11-21T02:02:14.617Z`. */
export const timeSchema = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "RFC 3339, UTC, milliseconds", examples: ["2026-11-21T02:02:14.617Z"] });

/** Ids of tools and networks in the catalog; case-sensitive. */
export const catalogIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,127}$/)
  .meta({ description: "ID of a tool or network", examples: ["imaging-cohort"] });

/** Names with another meaning in a folder of the catalog, and in a request for a version. */
const NO_VERSION = /^(?:DEPRECATED|PINNED\.json|examples|tests|newest)$|\.cwl$/i;

export const versionSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/)
  .refine((version) => !NO_VERSION.test(version), "This name has another meaning in a catalog")
  .meta({ description: "A published version", examples: ["2.0.0"] });

/** The name of a document that arrived through WES: the digest of its files. */
export const documentDigestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ description: "Digest of a WES document", examples: [`sha256:${"9f86d081".repeat(8)}`] });

/** UUIDv7: sorts by creation time, cannot be guessed. */
export const runIdSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  .meta({ description: "ID of a run (UUIDv7)", examples: ["019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f"] });

/** Unique within its run. */
export const jobIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/)
  .meta({ description: "ID of a job, unique within its run", examples: ["smooth.3"] });

/** A name without control characters: it is part of log lines and of the subjects of mails. */
export const oneLine = (maxLength: number) => z.string().trim().min(1).max(maxLength).regex(LINE, "must be one line");

const LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;

export const runNameSchema = oneLine(200);

/** IDs that are UUIDs, with an example. */
export const uuidSchema = (description: string, example: string) => z.uuid().meta({ description, examples: [example] });

/** A CWL object, verbatim: input or output name to CWL value. */
export const cwlObjectSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: "CwlObject", description: "A CWL input or output object, verbatim: name to CWL value" });
export type CwlJsonObject = z.infer<typeof cwlObjectSchema>;

export const cwlValueSchema = z.unknown();

export const durationMsSchema = z.int().min(0).describe("Milliseconds");
export const bytesSchema = z.int().min(0).describe("Bytes");

/** Fields that every list has in addition to its entries. */
export const pageShape = {
  total: z
    .int()
    .min(0)
    .nullable()
    .describe("Number of entries that match the filters; null if counting is too expensive"),
  next_page_token: z.string().describe("Token of the next page; empty at the end"),
} as const;
