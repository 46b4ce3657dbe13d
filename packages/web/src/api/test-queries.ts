import { queryOptions } from "@tanstack/react-query";
import type { TestList } from "@weft/shared/records/test-record.ts";
import { api } from "./client.ts";
import { seen } from "./draft-queries.ts";

/** A version of a tool or network. */
interface TestedProcess {
  readonly kind: "tool" | "network";
  readonly id: string;
  /** null: a network without versions. */
  readonly version: string | null;
}

/** A revision of a draft. */
export interface TestedDraft {
  readonly kind: "draft";
  /** The version under which it will be published. */
  readonly id: string;
  readonly draftId: string;
  readonly revision: number;
}

export type Tested = TestedProcess | TestedDraft;

export const testKeys = {
  all: ["tests"] as const,
  of: (tested: Tested) =>
    tested.kind === "draft"
      ? (["tests", "draft", tested.draftId, tested.revision] as const)
      : (["tests", tested.kind, tested.id, tested.version] as const),
};

/** The tests of a version or draft, with their last results. */
export function testsQuery(tested: Tested) {
  return queryOptions({
    queryKey: testKeys.of(tested),
    queryFn: ({ signal }): Promise<TestList> => loadTests(tested, signal),
  });
}

function loadTests(tested: Tested, signal: AbortSignal): Promise<TestList> {
  switch (tested.kind) {
    case "draft":
      return api("GET /api/drafts/{draft_id}/tests", { params: { draft_id: tested.draftId }, signal });
    case "tool": {
      const { id, version } = tested;
      return api("GET /api/tools/{id}/{version}/tests", { params: { id, version: version ?? "" }, signal });
    }
    case "network": {
      const { id, version } = tested;
      return api("GET /api/networks/{id}/tests", { params: { id }, query: { version: version ?? undefined }, signal });
    }
  }
}

/** Runs some tests; undefined: all. */
export function runTests(tested: Tested, tests: string[] | undefined): Promise<TestList> {
  const body = tests === undefined ? {} : { tests };
  switch (tested.kind) {
    case "draft": {
      const { draftId, revision } = tested;
      return api("POST /api/drafts/{draft_id}/tests", { params: { draft_id: draftId }, body, headers: seen(revision) });
    }
    case "tool": {
      const { id, version } = tested;
      return api("POST /api/tools/{id}/{version}/tests", { params: { id, version: version ?? "" }, body });
    }
    case "network": {
      const { id, version } = tested;
      return api("POST /api/networks/{id}/tests", { params: { id }, query: { version: version ?? undefined }, body });
    }
  }
}
