import { existsSync, readFileSync } from "node:fs";
import type { DocumentReader } from "../document/document-reader.ts";
import type { CwlObject } from "../model/cwl-value.ts";

/** The public conformance suite, if it was downloaded next to the project. */
export const SUITE = new URL("shared/conformance/v1.2/", new URL("../../../../../", import.meta.url));

/** Why tests that need the suite are skipped; false if it is there. */
export const withoutSuite = existsSync(SUITE) ? false : "the conformance suite is not here";

export interface SuiteTest {
  readonly id: string;
  readonly tool: string;
  readonly job?: string | null;
  readonly output?: CwlObject;
  readonly should_fail?: boolean;
}

/** The tests of the suite; none if it is not there. */
export function suiteTests(): readonly SuiteTest[] {
  return withoutSuite === false ? JSON.parse(readFileSync(new URL("tests.json", SUITE), "utf8")) : [];
}

/** Reads documents from the disk. */
export const diskReader: DocumentReader = {
  read: async (uri) => (existsSync(new URL(uri)) ? readFileSync(new URL(uri), "utf8") : undefined),
};
