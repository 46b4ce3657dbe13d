import { z } from "zod";
import { automationIdSchema } from "../records/automation-record.ts";
import { queryIdSchema } from "../records/dataset-record.ts";
import { groupIdSchema } from "../records/draft-group-record.ts";
import { draftIdSchema } from "../records/draft-record.ts";
import {
  catalogIdSchema,
  documentDigestSchema,
  jobIdSchema,
  runIdSchema,
  versionSchema,
} from "../records/primitives.ts";
import { deliveryIdSchema, subscriptionIdSchema } from "../records/subscription-record.ts";

/** Path parameters by their names, which mean the same in every path. A route with other ones declares `params`. */
export const PATH_PARAMETERS = {
  automation_id: automationIdSchema,
  delivery_id: deliveryIdSchema,
  digest: documentDigestSchema,
  draft_id: draftIdSchema,
  group_id: groupIdSchema,
  id: catalogIdSchema,
  job_id: jobIdSchema,
  query_id: queryIdSchema,
  run_id: runIdSchema,
  subscription_id: subscriptionIdSchema,
  task_id: jobIdSchema,
  version: versionSchema,
} as const;

export const versionQuery = z.object({ version: versionSchema.optional() });

/** The ETag of a revision, for `If-Match`. */
export const revisionTag = (description: string) =>
  z
    .string()
    .regex(/^"\d{1,15}"$/)
    .meta({ description, examples: ['"3"'] });

/** A number in decimal notation. `z.coerce` would also read `0x10`, a space, and an empty text as 0. */
export const numberQuery = (number: z.ZodNumber) =>
  z.preprocess((text) => (DECIMAL.test(String(text)) ? Number(text) : text), number);

const DECIMAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** An optional whole number. */
export const wholeQuery = (least: number, most: number, description: string) =>
  numberQuery(z.int().min(least).max(most)).optional().describe(description);

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
