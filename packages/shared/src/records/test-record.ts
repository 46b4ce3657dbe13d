import { z } from "zod";
import { timeSchema } from "./primitives.ts";
import { validationIssueSchema } from "./process-record.ts";

const MAX_TESTS = 1000;

/** An expectation that was not met. */
const unmetSchema = z
  .object({
    part: z.string().meta({ description: "Part of the run: `outputs.table.lines`; empty for the run itself" }),
    message: z.string(),
    line: z.int().min(1).meta({ description: "Line of the expectation in the test" }),
    column: z.int().min(1),
  })
  .meta({ id: "UnmetExpectation" });

/** The recorded result of a test. */
export const testResultSchema = z
  .object({
    passed: z.boolean().meta({ description: "Whether every expectation was met" }),
    unmet: z.array(unmetSchema).meta({ description: "Expectations that were not met, at most 50" }),
  })
  .meta({ id: "TestResult" });
export type TestResult = z.infer<typeof testResultSchema>;

const lastResultSchema = z
  .object({
    state: z.enum(["running", "passed", "failed"]),
    unmet: testResultSchema.shape.unmet,
    started_at: timeSchema,
    ended_at: timeSchema.nullable(),
    run: z
      .object({ run_id: z.string(), url: z.string() })
      .nullable()
      .meta({ description: "null if the inputs were refused, so nothing ran, or if the caller may not see the run" }),
    is_current: z.boolean().meta({ description: "False if the test or the document has changed since" }),
  })
  .meta({ id: "LastTestResult" });

export const testRecordSchema = z
  .object({
    name: z.string(),
    doc: z.string().optional(),
    issues: z.array(validationIssueSchema).meta({ description: "Problems that prevent the test from running" }),
    last: lastResultSchema.nullable().meta({ description: "null: never run on this server" }),
  })
  .meta({ id: "Test" });
export type TestRecord = z.infer<typeof testRecordSchema>;

export const testListSchema = z
  .object({ tests: z.array(testRecordSchema).meta({ description: "Tests of the version, by name" }) })
  .meta({ id: "TestList" });
export type TestList = z.infer<typeof testListSchema>;

/** The body of POST …/tests. */
export const runTestsSchema = z
  .strictObject({
    tests: z
      .array(z.string().min(1).max(255))
      .max(MAX_TESTS)
      .optional()
      .meta({ description: "Names of the tests to run; absent: all" }),
  })
  .meta({ id: "RunTests" });
export type RunTests = z.infer<typeof runTestsSchema>;
