import { z } from "zod";
import { catalogIdSchema, jobIdSchema, runIdSchema, versionSchema } from "../records/primitives.ts";

// Parameters that several routes have, and kinds of query parameters.

export const runParams = z.object({ run_id: runIdSchema });
export const jobParams = z.object({ run_id: runIdSchema, job_id: jobIdSchema });
export const idParams = z.object({ id: catalogIdSchema });
export const toolVersionParams = z.object({ id: catalogIdSchema, version: versionSchema });
export const versionQuery = z.object({ version: versionSchema.optional() });

/** The ETag of a revision, for `If-Match`. */
export const revisionTag = (description: string) =>
  z
    .string()
    .regex(/^"\d{1,15}"$/)
    .meta({ description, examples: ['"3"'] });

/** An optional whole number. */
export const wholeQuery = (least: number, most: number, description: string) =>
  z.coerce.number().int().min(least).max(most).optional().describe(description);

/** An optional text. */
export const textQuery = (maxLength: number, description: string) =>
  z.string().max(maxLength).optional().describe(description);

export const pageTokenQuery = (maxLength: number) =>
  textQuery(maxLength, "`next_page_token` of the previous page; empty or absent: first page");

/** Query parameters of every list. */
export const pageQueryShape = {
  page_size: wholeQuery(1, 500, "Entries per page, at most 500"),
  page_token: pageTokenQuery(512),
} as const;

export const urlViewShape = {
  view: z.enum(["url"]).optional().describe("`url`: plain URL strings instead of objects"),
} as const;

/** The query parameter `?state=RUNNING,QUEUED`, which selects any of these states. */
export const statesQuery = <State extends string>(states: readonly [State, ...State[]]) =>
  z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(states)))
    .optional()
    .meta({ description: `One state or several, separated by commas: ${states.join(", ")}`, type: "string" });
