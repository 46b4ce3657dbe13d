import { useMutation, useQuery } from "@tanstack/react-query";
import type { DocumentList, Draft, ProcessKind } from "@weft/shared/records/draft-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { proxy } from "comlink";
import { useNavigate, useParams, useSearchParams } from "react-router-dom";
import { networkQuery } from "../api/queries/catalog-queries.ts";
import { createDraft, deleteDraft, loadDraft, readDocument, saveDraft } from "../api/queries/draft-queries.ts";
import { runQuery } from "../api/queries/run-queries.ts";
import { routeQuery } from "../api/route-query.ts";
import { RecordPage } from "../components/record-page.tsx";
import { AuthorGate } from "../components/role-gate.tsx";
import { askOnce } from "../features/workbench/language/language-client.ts";
import { useCommandOfJob, Drafts, EditVersion, NewDraft } from "../features/workbench/new-draft.tsx";
import { links } from "../format/links.ts";
import { CheckField, Field, Input } from "../ui/field.tsx";
import { Form, Refusal } from "../ui/form.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { useToggledSet } from "../ui/use-toggled-set.ts";
import { TextLink } from "../ui/text-link.tsx";

/** `/tools/new`, `/networks/new`, `/tool/:toolName/:version/edit` and `/network/:name/edit?v=` */
export default function NewDraftRoute({ kind }: { readonly kind: ProcessKind }) {
  const { toolName, version = "", name } = useParams();
  if (toolName !== undefined) return <EditPage kind="tool" id={toolName} version={version} />;
  return name === undefined ? <NewPage kind={kind} /> : <EditNetwork name={name} />;
}

/** `/tools/new?run=&job=` and `/networks/new?run=&step=&after=` */
function NewPage({ kind }: { readonly kind: ProcessKind }) {
  const crumb = kind === "tool" ? { label: "Tools", to: "/tool" } : { label: "Networks", to: "/networks" };
  return (
    <>
      <PageHeading title={`New ${kind}`} crumbs={[crumb]} />
      <AuthorGate>
        <div className="space-y-6">
          <Beginning kind={kind} />
          <Drafts isShown={(draft) => draft.kind === kind} />
        </div>
      </AuthorGate>
    </>
  );
}

/** Creates an empty draft, or one from a run. */
function Beginning({ kind }: { readonly kind: ProcessKind }) {
  const [params] = useSearchParams();
  const [runId, jobId] = [params.get("run") ?? "", params.get("job") ?? ""];
  const command = useCommandOfJob(runId, jobId);
  if (kind === "network" && runId !== "")
    return <NetworkFromRun runId={runId} steps={params.getAll("step")} after={params.get("after") ?? ""} />;
  // The command field starts with the command of the job.
  return command === undefined ? <Skeleton rows={6} /> : <NewDraft kind={kind} command={command} />;
}

interface NetworkFromRunProps {
  readonly runId: string;
  /** The steps that are chosen at first. */
  readonly steps: readonly string[];
  /** An output of the run, after which a step will be added; "" to choose steps instead. */
  readonly after: string;
}

/** Lets the language service read the catalog. */
const readFile = proxy(readDocument);

/** Begins a network with steps, or with an output, of a run. */
function NetworkFromRun({ runId, steps, after }: NetworkFromRunProps) {
  const run = useQuery(runQuery(runId));
  const documents = useQuery(routeQuery("GET /api/documents"));
  const problem = run.error ?? documents.error;
  if (problem !== null) return <Refusal of={problem} />;
  if (run.data === undefined || documents.data === undefined) return <Skeleton rows={6} />;
  return after === "" ? (
    <StepsForm run={run.data} documents={documents.data} steps={steps} />
  ) : (
    <AfterForm run={run.data} documents={documents.data} output={after} />
  );
}

interface FormProps {
  readonly run: Run;
  readonly documents: DocumentList;
}

function StepsForm({ run, documents, steps }: FormProps & { readonly steps: readonly string[] }) {
  const all = [...new Set(run.step_counts.map(({ step }) => step.split("/")[0] ?? ""))].filter((step) => step !== "");
  const [chosen, toggle] = useToggledSet(() => steps.filter((step) => all.includes(step)));
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (id: string) => draftOfSteps(run, documents, { id, steps: [...chosen] }),
    onSuccess: (draftId) => void navigate(links.draft(draftId)),
  });
  if (all.length === 0) return <p className="text-soft">This run has no steps.</p>;
  return (
    <RunForm run={run} error={create.error} isBusy={create.isPending || chosen.size === 0} onCreate={create.mutate}>
      <fieldset>
        <legend className="mb-1 font-semibold">Steps of the new network</legend>
        <div className="max-h-80 overflow-y-auto">
          {all.map((step) => (
            <CheckField key={step} className="min-h-8" checked={chosen.has(step)} onCheck={() => toggle(step)}>
              <span className="code wrap-anywhere">{step}</span>
            </CheckField>
          ))}
        </div>
      </fieldset>
    </RunForm>
  );
}

function AfterForm({ run, documents, output }: FormProps & { readonly output: string }) {
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (id: string) => draftAfterOutput(run, documents, { id, output }),
    onSuccess: (address) => void navigate(address),
  });
  const isTool = run.tool !== undefined;
  return (
    <RunForm run={run} error={create.error} isBusy={create.isPending} onCreate={create.mutate} hasId={isTool}>
      <p>
        {isTool
          ? "Weft creates a network with the tool, in which you add a step after "
          : "Weft opens a draft of the network, in which you add a step after "}
        <span className="code">{output}</span>. The run stays as it is.
      </p>
    </RunForm>
  );
}

interface RunFormProps {
  readonly run: Run;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onCreate: (id: string) => void;
  /** True if the network needs a new ID. */
  readonly hasId?: boolean;
  readonly children: React.ReactNode;
}

function RunForm({ run, error, isBusy, onCreate, hasId = true, children }: RunFormProps) {
  return (
    <Form
      className="card max-w-140 space-y-3 p-4"
      submitLabel="Create draft"
      isBlocked={isBusy}
      refusal={error}
      onSubmit={(form) => onCreate(String(form.get("id") ?? ""))}
    >
      <p>
        From the run <TextLink to={links.run(run.run_id)}>{run.name}</TextLink>
      </p>
      {children}
      {hasId && (
        <Field label="ID of the network">
          <Input
            code
            name="id"
            defaultValue={`${run.network?.id ?? run.tool?.id ?? "network"}-part`}
            required
            maxLength={128}
            pattern="[a-z0-9][a-z0-9._\-]*"
          />
        </Field>
      )}
    </Form>
  );
}

/** The path of a run's tool or network; undefined if it is no longer in the catalog. */
function placeOf(run: Run, { documents }: DocumentList): string | undefined {
  const kind = run.network === undefined ? "tool" : "network";
  const process = run.network ?? run.tool;
  return documents.find((each) => each.kind === kind && each.id === process?.id && each.version === process.version)
    ?.path;
}

/** The document of a run; for a run of a draft, the current draft. */
async function documentOf(run: Run, documents: DocumentList) {
  if (run.draft !== undefined) return loadDraft(run.draft.draft_id);
  const path = placeOf(run, documents);
  const text = path === undefined ? undefined : await readDocument(path);
  if (path === undefined || text === undefined) throw new Error("This version is no longer in the catalog.");
  return { path, text };
}

/** A draft of a network with some steps of a run's network. */
async function draftOfSteps(
  run: Run,
  documents: DocumentList,
  { id, steps }: { readonly id: string; readonly steps: readonly string[] },
): Promise<string> {
  const document = await documentOf(run, documents);
  return askOnce(async (language) => {
    // The service refuses an impossible request before there is a draft.
    await language.networkOfSteps(document, { steps, path: document.path }, readFile);
    return filledDraft(id, async ({ path }) => language.networkOfSteps(document, { steps, path }, readFile));
  });
}

/** The address of a draft in which a step can be added after an output of a run. `id` names the network around a tool. */
async function draftAfterOutput(
  run: Run,
  documents: DocumentList,
  { id, output }: { readonly id: string; readonly output: string },
): Promise<string> {
  if (run.tool !== undefined) {
    const path = placeOf(run, documents);
    if (path === undefined) throw new Error("This version is no longer in the catalog.");
    const process = { path, id: run.tool.id };
    let step = "";
    const draftId = await filledDraft(id, async (draft) => {
      const around = await askOnce(async (language) => language.networkAround(draft, process, readFile));
      step = around.step;
      return around.text;
    });
    return links.draft(draftId, { after: `${step}/${output}` });
  }
  const { id: network = "", version } = run.network ?? {};
  const draft =
    run.draft === undefined
      ? await createDraft({ kind: "network", id: network, based_on: version ?? UNVERSIONED })
      : await loadDraft(run.draft.draft_id);
  const source = await askOnce(async (language) => language.sourceOfOutput(draft, output, readFile));
  return links.draft(draft.draft_id, { after: source });
}

/** Creates a draft and gives it a text, which depends on its path. */
async function filledDraft(id: string, textOf: (draft: Draft) => Promise<string>): Promise<string> {
  const draft = await createDraft({ kind: "network", id });
  try {
    await saveDraft(draft.draft_id, { text: await textOf(draft) }, draft.revision);
  } catch (error) {
    await deleteDraft(draft.draft_id);
    throw error;
  }
  return draft.draft_id;
}

function EditNetwork({ name }: { readonly name: string }) {
  const [version] = useSearchParam("v");
  const network = useQuery(networkQuery(name, version || undefined));
  return (
    <RecordPage query={network} noun="network" name={name} list={{ label: "All networks", to: "/networks" }}>
      {({ version: found }) => <EditPage kind="network" id={name} version={found ?? UNVERSIONED} />}
    </RecordPage>
  );
}

interface EditPageProps {
  readonly kind: ProcessKind;
  readonly id: string;
  readonly version: string;
}

function EditPage({ kind, id, version }: EditPageProps) {
  const isTool = kind === "tool";
  const crumbs = [
    isTool ? { label: "Tools", to: "/tool" } : { label: "Networks", to: "/networks" },
    { label: id, to: isTool ? `/tool/${id}/${version}` : `/network/${id}` },
  ];
  const name = version === UNVERSIONED ? id : `${id} ${version}`;
  return (
    <>
      <PageHeading title={`Edit ${name}`} crumbs={crumbs} />
      <AuthorGate>
        <div className="space-y-6">
          <EditVersion kind={kind} id={id} version={version} />
          <Drafts isShown={(draft) => draft.kind === kind && draft.id === id} />
        </div>
      </AuthorGate>
    </>
  );
}
