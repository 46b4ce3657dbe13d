import { queryOptions } from "@tanstack/react-query";
import type { TestList } from "@weft/shared/records/test-record.ts";
import { api } from "./client.ts";

/** A version of a tool or network. */
export interface TestedProcess {
  readonly kind: "tool" | "network";
  readonly id: string;
  /** null: a network without versions. */
  readonly version: string | null;
}

export const testKeys = {
  all: ["tests"] as const,
  of: ({ kind, id, version }: TestedProcess) => ["tests", kind, id, version] as const,
};

/** The tests of a version, with their last results. */
export function testsQuery(process: TestedProcess) {
  const { kind, id, version } = process;
  return queryOptions({
    queryKey: testKeys.of(process),
    queryFn: ({ signal }): Promise<TestList> =>
      kind === "tool"
        ? api("GET /api/tools/{id}/{version}/tests", { params: { id, version: version ?? "" }, signal })
        : api("GET /api/networks/{id}/tests", { params: { id }, query: { version: version ?? undefined }, signal }),
  });
}

/** Runs some tests; undefined: all. */
export function runTests({ kind, id, version }: TestedProcess, tests: string[] | undefined): Promise<TestList> {
  const body = tests === undefined ? {} : { tests };
  return kind === "tool"
    ? api("POST /api/tools/{id}/{version}/tests", { params: { id, version: version ?? "" }, body })
    : api("POST /api/networks/{id}/tests", { params: { id }, query: { version: version ?? undefined }, body });
}
