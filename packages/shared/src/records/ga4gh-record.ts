import { z } from "zod";
import { namedObject } from "./named-object.ts";

/** GA4GH service-info 1.0: the description that every GA4GH service returns. */
const serviceShape = {
  id: z.string(),
  name: z.string(),
  type: z.object({ group: z.string(), artifact: z.string(), version: z.string() }),
  description: z.string(),
  organization: z.object({ name: z.string(), url: z.string() }),
  documentationUrl: z.string(),
  version: z.string(),
} as const;

export const trsServiceSchema = namedObject("TrsService", serviceShape);
export type TrsService = z.infer<typeof trsServiceSchema>;

/** The shape of every error of WES 1.1. */
export const wesErrorSchema = namedObject("WesErrorResponse", { msg: z.string(), status_code: z.int() });

/** The shape of every error of TRS 2.0. */
export const trsErrorSchema = namedObject("TrsError", { code: z.int(), message: z.string() });

export const wesServiceInfoSchema = namedObject("WesServiceInfo", {
  ...serviceShape,
  workflow_type_versions: z.record(z.string(), z.object({ workflow_type_version: z.array(z.string()) })),
  supported_wes_versions: z.array(z.string()),
  supported_filesystem_protocols: z.array(z.string()),
  workflow_engine_versions: z.record(z.string(), z.object({ workflow_engine_version: z.array(z.string()) })),
  default_workflow_engine_parameters: z.array(
    z.object({ name: z.string(), type: z.string(), default_value: z.string() }),
  ),
  system_state_counts: z.record(z.string(), z.int()),
  auth_instructions_url: z.string(),
  tags: z.record(z.string(), z.string()),
});
export type WesServiceInfo = z.infer<typeof wesServiceInfoSchema>;
