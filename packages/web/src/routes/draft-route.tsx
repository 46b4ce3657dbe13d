import { useQuery } from "@tanstack/react-query";
import type { DocumentList, Draft, DraftCheck, DraftSummary } from "@weft/shared/records/draft-record.ts";
import { useParams } from "react-router-dom";
import { documentListQuery, draftListQuery, draftQuery } from "../api/draft-queries.ts";
import { AuthorGate } from "../components/author-gate.tsx";
import { RecordPage } from "../components/record-page.tsx";
import { NetworkDrawing } from "../features/workbench/drawing/network-drawing.tsx";
import { useRunFailure } from "../features/workbench/failure/run-failure.ts";
import { DraftEditor } from "../features/workbench/draft-editor.tsx";
import type { DraftEditing } from "../features/workbench/use-draft-editor.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { ProcessTests } from "./tab-views.tsx";

const GraphView = onDemand(() => import("../features/graph/graph-view.tsx"), <Skeleton rows={12} />);
const StartRun = onDemand(() => import("../features/run-form/start-run.tsx"), <Skeleton rows={12} />);

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
  const documents = useQuery(documentListQuery());
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
            peers={peersOf(data, drafts.data ?? [])}
            failure={failure}
            onDismissFailure={() => setFailedRun("", { replace: true })}
            renderDrawing={(editing) => <DraftDrawing editing={editing} documents={documents.data} />}
            renderForm={(shown, check) => <StartRun target={targetOf(shown, check)} />}
            renderTests={(shown, check) => (
              <ProcessTests process={testedOf(shown, check)} isValid={check.validation.status !== "invalid"} />
            )}
          />
        )
      }
    </RecordPage>
  );
}

/** Where other drafts of the group will be published, which references lead to. */
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

function testedOf({ id, draft_id: draftId }: Draft, { revision }: DraftCheck) {
  return { kind: "draft", id, draftId, revision } as const;
}

function targetOf(draft: Draft, { tool, network, revision }: DraftCheck) {
  const { kind, id, draft_id: draftId } = draft;
  const shown = tool ?? network;
  return {
    ...{ kind, id, draftId, version: null, digest: `${draftId} ${revision}` },
    inputs: shown?.inputs ?? [],
    outputs: shown?.outputs ?? [],
    steps: network?.steps ?? [],
    examples: shown?.examples ?? [],
  };
}
