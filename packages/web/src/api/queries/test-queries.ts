import type { TestList } from "@weft/shared/records/test-record.ts";
import { api } from "../client.ts";
import { seen } from "./draft-queries.ts";
import { routeQuery } from "../route-query.ts";

/** A version of a tool or network. */
interface TestedProcess {
  readonly kind: "tool" | "network";
  readonly id: string;
  /** The version; null for a network without versions. */
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

/** The tests of a version or draft, with their last results. */
export function testsQuery(tested: Tested) {
  switch (tested.kind) {
    case "draft":
      return routeQuery("GET /api/drafts/{draft_id}/tests", { params: { draft_id: tested.draftId } }, tested.revision);
    case "tool": {
      const { id, version } = tested;
      return routeQuery("GET /api/tools/{id}/{version}/tests", { params: { id, version: version ?? "" } });
    }
    case "network": {
      const { id, version } = tested;
      return routeQuery("GET /api/networks/{id}/tests", { params: { id }, query: { version: version ?? undefined } });
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
