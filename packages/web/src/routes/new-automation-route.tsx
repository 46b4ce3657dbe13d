import { useMutation, useQuery } from "@tanstack/react-query";
import { fillInputs, type FilledInputs } from "@weft/shared/dataset/fill-inputs.ts";
import type { AutomationPlan, CreateAutomation } from "@weft/shared/records/automation-record.ts";
import type { SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { InputRecord, Network, NetworkSummary } from "@weft/shared/records/process-record.ts";
import { AUTOMATION_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import { useMemo, useState, useSyncExternalStore } from "react";
import { useNavigate } from "react-router-dom";
import { api } from "../api/client.ts";
import { networkListQuery, networkQuery } from "../api/queries/catalog-queries.ts";
import { requestedSamplesQuery } from "../api/queries/dataset-queries.ts";
import { routeQuery, useChange } from "../api/route-query.ts";
import { RoleGate } from "../components/role-gate.tsx";
import { FormStoreProvider, useFormStore, useFormValues } from "../components/run-form/fields/form-context.ts";
import { InputFields } from "../components/run-form/input-fields.tsx";
import { checkInputs } from "../components/run-form/model/check-value.ts";
import type { FormStore } from "../components/run-form/model/form-store.ts";
import { missingText } from "../components/run-form/problems/field-names.ts";
import { FillProblems, ProblemSummary } from "../components/run-form/problems/problem-summary.tsx";
import { FormProblems, useFindings } from "../components/run-form/problems/use-findings.ts";
import { RestoredNote } from "../components/run-form/restored-note.tsx";
import { SinkFields } from "../components/run-form/sink-fields.tsx";
import { useDraft } from "../components/run-form/use-draft.ts";
import { StartAttempt } from "../components/run-form/use-run-requests.ts";
import {
  EMPTY_DRAFT,
  automationBody,
  chooseNetwork,
  inputsToFill,
  type AutomationDraft,
} from "../features/automations/automation-draft.ts";
import { LimitFields, OccasionFields, QueryField } from "../features/automations/automation-fields.tsx";
import { PlanView } from "../features/automations/automation-texts.tsx";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { TitledSection } from "../ui/titled-section.tsx";

/** `/automations/new` */
export default function NewAutomationRoute() {
  const navigate = useNavigate();
  return (
    <>
      <PageHeading title="New automation" crumbs={[{ label: "Automations", to: "/automations" }]} />
      <RoleGate needs="runner" what="Creating an automation">
        <NewAutomation onCreated={() => void navigate("/automations")} />
      </RoleGate>
    </>
  );
}

const BEGINNING = { values: {}, samples: undefined, settings: EMPTY_DRAFT };

/** The form of a new automation, which the browser keeps as a draft, with a dry run. */
export function NewAutomation({ onCreated }: { readonly onCreated: () => void }) {
  // An automation has no secrets, so the draft has none either.
  const { store, restoredFrom, drop } = useDraft("automation", { inputs: [] }, BEGINNING);
  const networks = useQuery(networkListQuery(""));
  const saved = useQuery(routeQuery("GET /api/dataset-queries"));
  const [filling, setFilling] = useState(0);
  const discard = (): void => {
    store.replaceValues({});
    store.setSettings(EMPTY_DRAFT);
    setFilling(filling + 1);
    drop();
  };
  return (
    <FormStoreProvider value={store}>
      {restoredFrom !== undefined && <RestoredNote savedAt={restoredFrom} onDiscard={discard} />}
      <QueryView query={networks}>
        {({ networks: all }) => (
          <QueryView query={saved}>
            {({ queries }) => (
              <AutomationForm
                key={filling}
                store={store}
                networks={all}
                saved={queries}
                onCreated={() => {
                  drop();
                  onCreated();
                }}
              />
            )}
          </QueryView>
        )}
      </QueryView>
    </FormStoreProvider>
  );
}

interface AutomationFormProps {
  readonly store: FormStore<AutomationDraft>;
  readonly networks: readonly NetworkSummary[];
  /** The saved queries of all networks. */
  readonly saved: readonly SavedDatasetQuery[];
  readonly onCreated: () => void;
}

function AutomationForm({ store, networks, saved, onCreated }: AutomationFormProps) {
  const choices = useChoices(store, saved);
  const { findings, plan, save, send } = useRequests(store, choices, onCreated);
  const { draft, network, body } = choices;
  const isLoading = draft.network !== "" && network.data === undefined;
  return (
    <Form
      className="max-w-220 space-y-4"
      submitLabel="Create"
      pendingLabel="Creating…"
      isPending={save.isPending}
      isBlocked={isLoading}
      otherButtons={<OtherButtons isBlocked={isLoading} inputs={choices.inputs} />}
      onSubmit={send}
    >
      <ProblemSummary form={{ inputs: choices.inputs, steps: [] }} findings={findings.shown} />
      <fieldset disabled={save.isPending} inert={save.isPending} className="min-w-0 space-y-4">
        <AutomationFields store={store} networks={networks} choices={choices} onOther={findings.clear} />
        {draft.network !== "" && (
          <QueryView query={network}>
            {(found) => (
              <NetworkFields
                key={found.id}
                network={found}
                choices={choices}
                problems={findings.shown.placeProblems}
                onPlaces={(places) => store.setSettings({ ...store.settings(), places })}
              />
            )}
          </QueryView>
        )}
      </fieldset>
      {plan.data !== undefined && <Planned plan={plan.data} request={plan.variables} body={body} />}
    </Form>
  );
}

interface AutomationFieldsProps extends Pick<AutomationFormProps, "store" | "networks"> {
  readonly choices: Choices;
  /** Called when the form asks for other inputs. */
  readonly onOther: () => void;
}

function AutomationFields({ store, networks, choices: { draft, queries }, onOther }: AutomationFieldsProps) {
  const change = (part: Partial<AutomationDraft>): void => store.setSettings({ ...store.settings(), ...part });
  const choose = (network: string): void => {
    chooseNetwork(store, network);
    onOther();
  };
  const ask = (query: string): void => {
    change({ query });
    onOther();
  };
  return (
    <div className="card space-y-4 p-4">
      <OccasionFields draft={draft} networks={networks} onNetwork={choose} onChange={change} />
      <QueryField draft={draft} queries={queries} onQuery={ask} />
      <LimitFields draft={draft} onChange={change} />
    </div>
  );
}

/** The entries, and the records that they name. */
function useChoices(store: FormStore<AutomationDraft>, saved: readonly SavedDatasetQuery[]) {
  const draft = useSyncExternalStore(store.subscribe, store.settings);
  const network = useQuery({ ...networkQuery(draft.network, undefined), enabled: draft.network !== "" });
  const queries = saved.filter((each) => each.network === draft.network);
  const query = queries.find(({ query_id: id }) => id === draft.query);
  const inputs = inputsToFill(network.data?.inputs ?? [], query);
  const body = (): CreateAutomation => automationBody(draft, { query, inputs, values: store.values() });
  return { draft, network, queries, query, inputs, body };
}

type Choices = ReturnType<typeof useChoices>;

/** Tries or creates the automation if the browser finds no error in its inputs. */
function useRequests(
  store: FormStore<AutomationDraft>,
  { inputs, body }: Pick<Choices, "inputs" | "body">,
  onCreated: () => void,
) {
  const findings = useFindings(store);
  const plan = useMutation({
    mutationFn: (sent: CreateAutomation) => api("POST /api/automation-plans", { body: sent }),
  });
  const [attempt] = useState(() => new StartAttempt("automation", { inputs: [] }));
  const create = (sent: CreateAutomation) =>
    api("POST /api/automations", { body: sent, headers: { "idempotency-key": attempt.keyFor(JSON.stringify(sent)) } });
  const save = useChange(AUTOMATION_ROUTES, create, () => {
    attempt.end();
    onCreated();
  });
  const send = (form: FormData): void => {
    findings.clear();
    plan.reset();
    const problems = checkInputs(inputs, store.values());
    if (problems.length > 0) findings.refuse(new FormProblems([], problems));
    else (form.has("plan") ? plan : save).mutate(body(), { onError: findings.refuse });
  };
  return { findings, plan, save, send };
}

interface OtherButtonsProps {
  readonly isBlocked: boolean;
  readonly inputs: readonly InputRecord[];
}

function OtherButtons({ isBlocked, inputs }: OtherButtonsProps) {
  const values = useFormValues();
  return (
    <>
      <Button type="submit" name="plan" disabled={isBlocked}>
        Try it without starting anything
      </Button>
      <span className="self-center text-small wrap-anywhere text-soft">
        {missingText({ inputs, steps: [] }, values)}
      </span>
    </>
  );
}

interface NetworkFieldsProps {
  readonly network: Network;
  readonly choices: Choices;
  /** Problems of the destinations, by output id. */
  readonly problems: AutomationDraft["places"];
  readonly onPlaces: (places: AutomationDraft["places"]) => void;
}

/** The inputs of the network, and the destinations of its outputs. */
function NetworkFields({ network, choices: { draft, query, inputs }, problems, onPlaces }: NetworkFieldsProps) {
  const values = useFormValues();
  const isAsked = query !== undefined;
  const { data } = useQuery({ ...requestedSamplesQuery({ query_id: query?.query_id }), enabled: isAsked });
  const filled = useMemo(() => data && fillInputs(data, network.inputs), [data, network]);
  const secret = network.inputs.filter((input) => input.secret === true).map(({ id }) => id);
  // A query may find its first samples later.
  const hasSamples = filled !== undefined && data?.samples.length !== 0;
  const known = isAsked ? (hasSamples ? { ...values, ...filled.inputs } : undefined) : values;
  return (
    <>
      <TitledSection card title="Inputs">
        <div className="space-y-5">
          {isAsked && <FilledList network={network} query={query} problems={filled?.problems ?? []} />}
          {secret.length > 0 && (
            <p className="text-soft wrap-anywhere">
              An automation cannot contain secrets, so the form leaves out {secret.join(", ")}.
            </p>
          )}
          {(inputs.length > 0 || network.inputs.length === 0) && <InputFields target={{ inputs, steps: [] }} />}
        </div>
      </TitledSection>
      <SinkFields
        processId={network.id}
        outputs={network.outputs}
        places={draft.places}
        problems={problems}
        values={known}
        onChange={onPlaces}
      />
    </>
  );
}

interface FilledListProps extends Pick<FilledInputs, "problems"> {
  readonly network: Network;
  readonly query: SavedDatasetQuery;
}

/** The inputs that the form does not ask for, and the reasons why columns of the query fill none. */
function FilledList({ network: { inputs }, query, problems }: FilledListProps) {
  const columns = new Set(query.query.columns.map(({ name }) => name));
  const ids = inputs.filter(({ id }) => columns.has(id)).map(({ id }) => id);
  return (
    <div className="wrap-anywhere">
      <p className="text-soft">
        {ids.length === 0 ? "The samples fill no inputs." : `The samples fill ${ids.join(", ")}.`}
      </p>
      <FillProblems problems={problems} />
    </div>
  );
}

interface PlannedProps {
  readonly plan: AutomationPlan;
  /** The request that the plan is about. */
  readonly request: CreateAutomation;
  readonly body: () => CreateAutomation;
}

/** The plan, until the form changes. */
function Planned({ plan, request, body }: PlannedProps) {
  const store = useFormStore();
  const shown = useSyncExternalStore(store.subscribe, () => JSON.stringify(body()));
  return shown === JSON.stringify(request) ? <PlanView plan={plan} /> : null;
}
