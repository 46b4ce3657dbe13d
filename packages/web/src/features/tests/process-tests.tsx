import { countText } from "@weft/shared/text/count-text.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { TestRecord } from "@weft/shared/records/test-record.ts";
import { Link } from "react-router-dom";
import { useRights } from "../../api/session-query.ts";
import { type Tested, runTests, testsQuery } from "../../api/queries/test-queries.ts";
import { TestBadge } from "../../components/badges.tsx";
import { LocatedIssue } from "../../components/process/issue-list.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Refusal } from "../../ui/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { DurationText, TimeAgo } from "../../ui/time-text.tsx";

/** Ensures that tests run with the displayed document, not with an older revision. */
interface ShownDraft {
  /** True if `process` is the displayed document. */
  readonly isShown: boolean;
  /** Saves the displayed document, and calls `act` with the new revision. */
  readonly withLatest: <Result>(act: (tested: Tested) => Promise<Result>) => Promise<Result>;
}

interface ProcessTestsProps {
  readonly process: Tested;
  /** Present only for a draft. */
  readonly draft?: ShownDraft;
  /** A document with errors cannot run. */
  readonly isValid: boolean;
}

/** The tests of a version with their last results on this server, and buttons that run them. */
export default function ProcessTests({ process, draft, isValid }: ProcessTestsProps) {
  const tests = useQuery(testsQuery(process));
  return (
    <QueryView query={tests} rows={4}>
      {(data) =>
        data.tests.length === 0 ? (
          <EmptyState
            text={
              process.kind === "draft"
                ? "No tests. Add a file such as tests/small.yml under Files."
                : "No tests. Put them into the folder tests, next to the document."
            }
          >
            <Link className="btn" to="/doc/reference/tests">
              How to write tests
            </Link>
          </EmptyState>
        ) : (
          <TestTable process={process} draft={draft} tests={data.tests} isValid={isValid} />
        )
      }
    </QueryView>
  );
}

const COLUMNS: readonly Column<TestRecord>[] = [
  { label: "Test", render: (test) => <TestText test={test} /> },
  { label: "Result", render: (test) => <TestBadge test={test} /> },
  {
    label: "Last run",
    render: ({ last }) => (
      <>
        {last === null ? "–" : <TimeAgo time={last.started_at} />}
        {last?.run != null && (
          <Link className="link block" to={`/run/${last.run.run_id}`}>
            Show run
          </Link>
        )}
      </>
    ),
  },
  {
    label: "Duration",
    number: true,
    render: ({ last }) => last && <DurationText start={last.started_at} end={last.ended_at} durationMs={null} />,
  },
];

interface TestTableProps extends Omit<ProcessTestsProps, "draft"> {
  readonly draft: ShownDraft | undefined;
  readonly tests: readonly TestRecord[];
}

function TestTable({ process, draft, tests, isValid }: TestTableProps) {
  const start = useStart(process, draft);
  const canRun = useRights().has("author") && isValid;
  const passed = tests.filter(({ last }) => last?.state === "passed" && last.is_current).length;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft">
          {passed} of {countText(tests.length, "test")} passed with the{" "}
          {draft?.isShown === false ? "last saved document, which is not the one on the screen" : "current document"}
        </p>
        {canRun && (
          <Button look="primary" disabled={start.isPending} onClick={() => start.mutate(undefined)}>
            <Icon name="play" /> Run all tests
          </Button>
        )}
      </div>
      <Refusal of={start.error && `The tests could not start: ${start.error.message}`} />
      <DataTable
        caption={`Tests of ${process.id}`}
        columns={[
          ...COLUMNS,
          {
            label: "Actions",
            hidden: true,
            render: (test) =>
              canRun && test.issues.length === 0 && <RunTest test={test} onRun={() => start.mutate([test.name])} />,
          },
        ]}
        rows={tests}
        keyOf={({ name }) => name}
      />
    </div>
  );
}

function useStart(process: Tested, draft: ShownDraft | undefined) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (names: string[] | undefined) => {
      const act = async (tested: Tested): Promise<void> => {
        cache.setQueryData(testsQuery(tested).queryKey, await runTests(tested, names));
      };
      return draft === undefined ? act(process) : draft.withLatest(act);
    },
  });
}

function RunTest({ test: { name, last }, onRun }: { readonly test: TestRecord; readonly onRun: () => void }) {
  return (
    <Button small disabled={last?.state === "running"} onClick={onRun} aria-label={`Run ${name}`}>
      <Icon name="play" className="size-3.5" /> Run
    </Button>
  );
}

/** The reason why a test did not run, or its unmet expectations. */
function TestProblems({ test: { issues, last } }: { readonly test: TestRecord }) {
  if (issues.length > 0)
    return (
      <ul className="mt-1 space-y-1">
        {issues.map((issue) => (
          <li key={`${issue.line}:${issue.column}${issue.message}`} className="text-failed">
            <LocatedIssue issue={issue} />
          </li>
        ))}
      </ul>
    );
  if (last === null || last.unmet.length === 0) return null;
  return (
    <ul className="mt-1 space-y-1">
      {last.unmet.map(({ part, message, line, column }) => (
        <li key={`${line}:${column}${part}${message}`}>
          {part !== "" && <span className="code">{part} </span>}
          {message} <span className="text-soft">(line {line})</span>
        </li>
      ))}
    </ul>
  );
}

function TestText({ test }: { readonly test: TestRecord }) {
  return (
    <div>
      <span className="font-medium">{test.name}</span>
      {test.doc !== undefined && <span className="block text-soft">{test.doc}</span>}
      <TestProblems test={test} />
    </div>
  );
}
