import { useQuery } from "@tanstack/react-query";
import type { DocumentList, Draft, DraftSummary } from "@weft/shared/records/draft-record.ts";
import { useParams } from "react-router-dom";
import { draftListQuery, draftQuery } from "../api/queries/draft-queries.ts";
import { routeQuery } from "../api/route-query.ts";
import { RecordPage } from "../components/record-page.tsx";
import { AuthorGate } from "../components/role-gate.tsx";
import type { RunTarget } from "../components/run-form/run-target.ts";
import { type CheckedDraft, DraftEditor } from "../features/workbench/draft-editor.tsx";
import { useRunFailure } from "../features/workbench/failure/run-failure-bar.tsx";
import type { DraftEditing } from "../features/workbench/use-draft-editor.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { ProcessTests } from "./tab-views.tsx";

const GraphView = onDemand(() => import("../features/graph/graph-view.tsx"), <Skeleton rows={12} />);
const NetworkDrawing = onDemand(
  () => {
    void GraphView.preload();
    return import("../features/workbench/drawing/network-drawing.tsx");
  },
  <Skeleton rows={12} />,
);
const StartRun = onDemand(() => import("../components/run-form/start-run.tsx"), <Skeleton rows={12} />);

/** `/drafts/:draftId?tab=&step=&after=&run=&job=` */
export default function DraftRoute() {
  const { draftId = "" } = useParams();
  return (
    <AuthorGate>
      <DraftPage key={draftId} draftId={draftId} />
    </AuthorGate>
  );
}

function DraftPage({ draftId }: { readonly draftId: string }) {
  const draft = useQuery(draftQuery(draftId));
  const documents = useQuery(routeQuery("GET /api/documents"));
  const drafts = useQuery({ ...draftListQuery(), enabled: draft.data?.group_id != null });
  const [failedRun, setFailedRun] = useSearchParam("run");
  const [failedJob] = useSearchParam("job");
  const failure = useRunFailure(draftId, failedRun, failedJob);
  return (
    <RecordPage query={draft} noun="draft" name={draftId} list={{ label: "Drafts", to: "/networks/new" }}>
      {(data) =>
        documents.data === undefined || (data.group_id !== null && drafts.data === undefined) ? (
          <Skeleton rows={12} />
        ) : (
          <DraftEditor
            draft={data}
            documents={documents.data}
            peers={peersOf(data, drafts.data?.drafts ?? [])}
            failure={failure}
            onDismissFailure={() => setFailedRun("", { replace: true })}
            renderDrawing={(editing) => <DraftDrawing editing={editing} documents={documents.data} />}
            renderForm={(checked) => <StartRun target={targetOf(checked)} />}
            renderTests={(checked) => (
              <ProcessTests
                process={testedOf(checked)}
                draft={{
                  isShown: checked.isShown,
                  withLatest: (act) => withRunnable(checked, (at) => act(testedOf(at))),
                }}
                isValid={checked.check.validation.status !== "invalid"}
              />
            )}
          />
        )
      }
    </RecordPage>
  );
}

/** The future places of other drafts in the group, which references lead to. */
function peersOf({ group_id: group }: Draft, drafts: readonly DraftSummary[]): ReadonlyMap<string, string> {
  const peers = drafts.filter((draft) => group !== null && draft.group_id === group);
  return new Map(
    peers.flatMap(({ kind, id, planned_version: version, draft_id: draftId }) =>
      version === null ? [] : [[`${kind}s/${id}/${version}/${id}.cwl`, draftId] as const],
    ),
  );
}

interface DraftDrawingProps {
  readonly editing: DraftEditing;
  readonly documents: DocumentList;
}

function DraftDrawing({ editing, documents }: DraftDrawingProps) {
  const [step, setStep] = useSearchParam("step");
  const [after, setAfter] = useSearchParam("after");
  const { id } = editing.draft;
  return (
    <NetworkDrawing
      editing={editing}
      documents={documents}
      selected={step}
      onSelect={setStep}
      after={after}
      onAfter={(source) => setAfter(source, { replace: true })}
      renderGraph={(drawn) => <GraphView {...drawn} name={id} selected={step} onSelect={setStep} isNarrow />}
    />
  );
}

function testedOf({ draft: { id, draft_id: draftId }, check: { revision } }: Pick<CheckedDraft, "draft" | "check">) {
  return { kind: "draft", id, draftId, revision } as const;
}

/** Calls `act` with the saved draft, unless it has errors. */
function withRunnable<Result>(
  { draft, withLatest }: CheckedDraft,
  act: (checked: Pick<CheckedDraft, "draft" | "check">) => Promise<Result>,
): Promise<Result> {
  return withLatest(async (check) => {
    if (check.validation.status === "invalid") throw new Error("The draft has errors. They are listed below the text.");
    return act({ draft, check });
  });
}

function targetOf(checked: CheckedDraft): RunTarget {
  const shown = revisionTarget(checked);
  return {
    ...shown,
    digest: checked.isShown ? shown.digest : `${shown.digest} changed`,
    withLatest: (act) => withRunnable(checked, (latest) => act(revisionTarget(latest))),
  };
}

function revisionTarget({ draft, check }: Pick<CheckedDraft, "draft" | "check">): RunTarget {
  const { kind, id, draft_id: draftId } = draft;
  const { tool, network, revision } = check;
  const shown = tool ?? network;
  return {
    ...{ kind, id, version: null, draft: { draftId, revision }, digest: `${draftId} ${revision}` },
    inputs: shown?.inputs ?? [],
    outputs: shown?.outputs ?? [],
    steps: network?.steps ?? [],
    examples: shown?.examples ?? [],
  };
}
