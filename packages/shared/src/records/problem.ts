import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { PROBLEMS } from "./refusal.ts";

/** One error in a refused request, with its position and reason. */
export const problemErrorSchema = namedObject("ProblemError", {
  pointer: z
    .string()
    .optional()
    .meta({ description: "JSON Pointer (RFC 6901) into the body", examples: ["/inputs/images/0/location"] }),
  parameter: z.string().optional().describe("Name of the query or path parameter"),
  code: z.string().meta({ examples: ["missing-file"] }),
  detail: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
  hint: z.string().optional(),
});
export type ProblemError = z.infer<typeof problemErrorSchema>;

export const problemSchema = z
  .object({
    type: z.string().describe("URI of the page that explains the code"),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string().meta({ examples: Object.keys(PROBLEMS).slice(0, 3) }),
    request_id: z.string(),
    errors: z.array(problemErrorSchema),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem details" });
export type Problem = z.infer<typeof problemSchema>;
