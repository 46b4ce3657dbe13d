import { z } from "zod";
import { namedObject, namedStrictObject } from "./named-object.ts";
import { timeSchema } from "./primitives.ts";
import { validationIssueSchema } from "./process-record.ts";

const MAX_TESTS = 1000;

/** An expectation that was not met. */
const unmetSchema = namedObject("UnmetExpectation", {
  part: z.string().describe("Part of the run: `outputs.table.lines`; empty for the run itself"),
  message: z.string(),
  line: z.int().min(1).describe("Line of the expectation in the test"),
  column: z.int().min(1),
});

/** The recorded result of a test. */
export const testResultSchema = namedObject("TestResult", {
  passed: z.boolean().describe("Whether every expectation was met"),
  unmet: z.array(unmetSchema).describe("Expectations that were not met, at most 50"),
});
export type TestResult = z.infer<typeof testResultSchema>;

const lastResultSchema = namedObject("LastTestResult", {
  state: z.enum(["running", "passed", "failed"]),
  unmet: testResultSchema.shape.unmet,
  started_at: timeSchema,
  ended_at: timeSchema.nullable(),
  run: z
    .object({ run_id: z.string(), url: z.string() })
    .nullable()
    .describe("null if the inputs were refused, so nothing ran, or if the caller may not see the run"),
  is_current: z.boolean().describe("False if the test or the document has changed since"),
});

export const testRecordSchema = namedObject("Test", {
  name: z.string(),
  doc: z.string().optional(),
  issues: z.array(validationIssueSchema).describe("Problems that prevent the test from running"),
  last: lastResultSchema.nullable().describe("null: never run on this server"),
});
export type TestRecord = z.infer<typeof testRecordSchema>;

export const testListSchema = namedObject("TestList", {
  tests: z.array(testRecordSchema).describe("Tests of the version, by name"),
});
export type TestList = z.infer<typeof testListSchema>;

/** The body of POST …/tests. */
export const runTestsSchema = namedStrictObject("RunTests", {
  tests: z
    .array(z.string().min(1).max(255))
    .max(MAX_TESTS)
    .optional()
    .describe("Names of the tests to run; absent: all"),
});
export type RunTests = z.infer<typeof runTestsSchema>;
