import { useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import type { TestRecord } from "@weft/shared/records/test-record.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { Link } from "react-router-dom";
import { publishingKey } from "../../../api/queries/draft-queries.ts";
import { type TestedDraft, runTests, testsQuery } from "../../../api/queries/test-queries.ts";
import { TestBadge } from "../../../components/badges.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { Refusal } from "../../../ui/form.tsx";
import { QueryView } from "../../../ui/query-view.tsx";

/** `closed`: tests have not passed, and the author has not decided to publish anyway. */
type Gate = "open" | "anyway" | "closed";

interface DraftTestGateProps {
  readonly tested: TestedDraft;
  readonly onChange: (gate: Gate) => void;
}

/** Runs the tests that have no result for this revision, and shows them until they have passed or the author decides otherwise. */
export function DraftTestGate({ tested, onChange }: DraftTestGateProps) {
  const isGone = useIsPublished(tested.draftId);
  const query = useQuery({ ...testsQuery(tested), enabled: !isGone });
  return (
    <QueryView query={query}>{({ tests }) => <TestsOf tested={tested} tests={tests} onChange={onChange} />}</QueryView>
  );
}

interface TestsOfProps extends DraftTestGateProps {
  readonly tests: readonly TestRecord[];
}

function TestsOf({ tested, tests, onChange }: TestsOfProps) {
  const [anyway, setAnyway] = useState(false);
  const error = useMissingTests(tested, tests);
  const left = tests.filter((test) => !hasPassed(test));
  const isUndecided = left.some((test) => isMissing(test) || test.last?.state === "running");
  const gate: Gate = left.length === 0 ? "open" : anyway ? "anyway" : "closed";
  useEffect(() => onChange(gate), [gate, onChange]);
  if (tests.length === 0) return <p className="text-soft">This draft has no tests.</p>;
  return (
    <section aria-labelledby="draft-tests" className="space-y-2">
      <h3 id="draft-tests" className="font-semibold">
        Tests
      </h3>
      <p role="status">
        {tests.length - left.length} of {tests.length} passed{isUndecided ? ", others are running…" : ""}
      </p>
      <ul className="card max-h-60 divide-y divide-line overflow-auto" tabIndex={0} aria-label="Tests of the draft">
        {tests.map((test) => (
          <TestLine key={test.name} test={test} />
        ))}
      </ul>
      <Refusal of={error && `The tests could not start: ${error.message}`} />
      {left.length > 0 && <OverrideBox isOn={anyway} onChange={setAnyway} />}
    </section>
  );
}

/** Starts the tests without a result for this revision, once: the author has opened the dialog. */
function useMissingTests(tested: TestedDraft, tests: readonly TestRecord[]): Error | null {
  const cache = useQueryClient();
  const start = useMutation({
    mutationFn: (names: string[]) => runTests(tested, names),
    onSuccess: (list) => cache.setQueryData(testsQuery(tested).queryKey, list),
  });
  const begin = useEffectEvent(() => {
    const names = tests.filter(isMissing).map(({ name }) => name);
    if (names.length > 0) start.mutate(names);
  });
  useEffect(() => begin(), []);
  return start.error;
}

function TestLine({ test }: { readonly test: TestRecord }) {
  const { name, last, issues } = test;
  const problem = issues[0]?.message ?? (last?.is_current === true ? last.unmet[0]?.message : undefined);
  return (
    <li className="px-3 py-2">
      <span className="mr-2 font-medium">{name}</span>
      <TestBadge test={test} />
      {last?.run != null && (
        <Link className="link ml-2" to={`/run/${last.run.run_id}`} target="_blank">
          Show run
        </Link>
      )}
      {problem !== undefined && <span className="block text-soft wrap-anywhere">{problem}</span>}
    </li>
  );
}

function hasPassed({ last }: TestRecord): boolean {
  return last?.state === "passed" && last.is_current;
}

/** True if the test can run and has no result for this revision. */
function isMissing({ issues, last }: TestRecord): boolean {
  return issues.length === 0 && (last === null || !last.is_current);
}

interface OverrideBoxProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** The author's decision to publish without success in all tests. */
export function OverrideBox({ isOn, onChange }: OverrideBoxProps) {
  return (
    <CheckField isLong checked={isOn} onCheck={onChange}>
      <span>
        Publish anyway <span className="text-soft">(the audit log records that tests had not passed)</span>
      </span>
    </CheckField>
  );
}

/**
 * True if this page publishes a draft or group or has already published it: it no longer exists, so the page must not
 * request it.
 */
export function useIsPublished(id: string): boolean {
  const filters = { mutationKey: publishingKey(id) };
  const states = useMutationState({ filters, select: ({ state }) => state.status });
  return states.some((status) => status === "pending" || status === "success");
}
