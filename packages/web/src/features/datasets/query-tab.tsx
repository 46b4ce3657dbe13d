import type { InputRecord, NetworkSummary } from "@weft/shared/records/process-record.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { writeConditions } from "@weft/shared/dataset/condition-text.ts";
import type { DatasetDetail, DatasetQuery, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { networkListQuery, networkQuery } from "../../api/queries/catalog-queries.ts";
import { type DatasetPlace, datasetResultQuery, saveQuery } from "../../api/queries/dataset-queries.ts";
import { invalidateRoutes } from "../../api/route-query.ts";
import { useRights } from "../../api/session-query.ts";
import type { QueryState } from "../../components/form-state.ts";
import { links } from "../../format/links.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Input, Select, Field } from "../../ui/field.tsx";
import { PlainForm } from "../../ui/form.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSettled } from "../../ui/search-field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { ColumnRows } from "./column-rows.tsx";
import { ConditionRows } from "./condition-rows.tsx";
import {
  type BuiltQuery,
  type ColumnDraft,
  type QueryDraft,
  buildQuery,
  draftOf,
  firstDraft,
  forInputs,
  parseDraft,
} from "./query-model.ts";
import { QueryResultView } from "./query-result.tsx";

const PAUSE_MS = 400;

interface QueryTabProps {
  readonly place: DatasetPlace;
  readonly detail: DatasetDetail;
  readonly saved: SavedDatasetQuery | undefined;
}

/** The query builder, with the samples that it finds and leaves out. The URL has the builder's content (`?ask=`). */
export function QueryTab({ place, detail, saved }: QueryTabProps) {
  const [network] = useSearchParam("network");
  const networks = useQuery(networkListQuery(""));
  const target = useQuery({ ...networkQuery(network, undefined), enabled: network !== "" });
  const inputs = target.data?.inputs ?? [];
  const [edited, setEdited] = useDraftInUrl();
  const draft = forInputs(edited ?? (saved === undefined ? firstDraft(detail) : draftOf(saved.query)), inputs);
  const change = (part: Partial<QueryDraft>): void => setEdited({ ...draft, ...part });
  const { location, pattern } = place;
  const built = buildQuery({ location, pattern }, draft);
  const query = "query" in built ? built.query : undefined;
  return (
    <div className="space-y-5">
      <div className="card space-y-4 p-4">
        <UnitChoice detail={detail} per={draft.per} onChange={(per) => change({ per })} />
        <ConditionRows fields={detail.fields} where={draft.where} onChange={(where) => change({ where })} />
        <ColumnRows
          fields={detail.fields}
          inputs={inputs}
          columns={draft.columns}
          onChange={(columns) => change({ columns })}
        />
        {query !== undefined && (
          <p className="text-soft">
            As text: <code className="wrap-anywhere">{writeConditions(query.where ?? []) || "no conditions"}</code>
          </p>
        )}
      </div>
      <BuiltAnswer key={location} built={built} />
      <QueryBar
        networks={networks.data?.networks ?? []}
        network={network}
        query={query}
        unknown={target.data === undefined ? [] : draft.columns.filter((column) => !isInput(column, inputs))}
        saved={saved}
        isChanged={saved === undefined || JSON.stringify(draft) !== JSON.stringify(draftOf(saved.query))}
      />
    </div>
  );
}

function isInput({ name }: ColumnDraft, inputs: readonly InputRecord[]): boolean {
  return inputs.some(({ id }) => id === name.trim());
}

function BuiltAnswer({ built }: { readonly built: BuiltQuery }) {
  if ("query" in built) return <Answer query={built.query} />;
  return (
    <ul role="status" className="list-disc pl-5 text-failed">
      {built.problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}

function Answer({ query }: { readonly query: NonNullable<SavedDatasetQuery["query"]> }) {
  const asked = useSettled(JSON.stringify(query), PAUSE_MS);
  // Written from a query three lines above.
  const result = useQuery(datasetResultQuery(JSON.parse(asked) as typeof query));
  const isOld = result.isPlaceholderData || asked !== JSON.stringify(query);
  return (
    <div aria-live="polite">
      <QueryView query={result.error === null ? result : { ...result, data: undefined }}>
        {(data) => <QueryResultView result={data} isOld={isOld} />}
      </QueryView>
    </div>
  );
}

/** The builder's content; undefined until people change it. */
function useDraftInUrl(): readonly [QueryDraft | undefined, (draft: QueryDraft) => void] {
  const [ask, setAsk] = useSearchParam("ask");
  const [edited, setEdited] = useState(() => parseDraft(ask));
  const text = edited === undefined ? "" : JSON.stringify(edited);
  useEffect(() => {
    if (text === "" || text === ask) return;
    const timer = setTimeout(() => setAsk(text, { replace: true }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, ask, setAsk]);
  return [edited, setEdited];
}

interface UnitChoiceProps {
  readonly detail: Pick<DatasetDetail, "kind" | "fields" | "sessions">;
  readonly per: readonly string[];
  readonly onChange: (per: readonly string[]) => void;
}

/** The choice of a sample's unit: a subject, a session, a file, or the fields of a pattern. */
function UnitChoice({ detail, per, onChange }: UnitChoiceProps) {
  const chosen = per.join(",");
  const units = unitsOf(detail);
  const isKnown = units.some(({ id }) => id === chosen);
  return (
    <Field label="One sample for each">
      <Select
        className="w-auto"
        value={chosen}
        options={isKnown ? units : [{ id: chosen, label: per.join(" and ") }, ...units]}
        onChoose={(id) => onChange(id.split(","))}
      />
    </Field>
  );
}

function unitsOf({ kind, fields, sessions }: UnitChoiceProps["detail"]) {
  const file = { id: "path", label: "file" };
  if (kind === "bids") {
    const session = sessions === 0 ? [] : [{ id: "sub,ses", label: "session" }];
    const has = (name: string) => fields.some((field) => field.name === name);
    const run = has("run") ? [{ id: sessions === 0 ? "sub,task,run" : "sub,ses,task,run", label: "run" }] : [];
    return [{ id: "sub", label: "subject" }, ...session, ...run, file];
  }
  const names = fields.filter(({ name, source }) => source === "name" && name !== "extension").map(({ name }) => name);
  const single = names.map((name) => ({ id: name, label: name }));
  const pairs = names.slice(1).map((_, at) => names.slice(0, at + 2));
  return [...single, ...pairs.map((list) => ({ id: list.join(","), label: list.join(" and ") })), file];
}

interface QueryBarProps {
  readonly networks: readonly Pick<NetworkSummary, "id" | "label">[];
  readonly network: string;
  /** The query; undefined while the builder is incomplete. */
  readonly query: DatasetQuery | undefined;
  /** Columns that fill no input of the network. */
  readonly unknown: readonly ColumnDraft[];
  /** The saved query that the builder began with. */
  readonly saved: SavedDatasetQuery | undefined;
  /** True if the builder differs from the saved query. */
  readonly isChanged: boolean;
}

/** Chooses the network that a query is for, fills its form, and saves the query. */
function QueryBar({ networks, network, query, unknown, saved, isChanged }: QueryBarProps) {
  const [, setNetwork] = useSearchParam("network");
  const mayRun = useRights().has("runner");
  const form = formOf(network, query, isChanged ? undefined : saved);
  return (
    <div className="card space-y-3 p-4">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Network">
          <Select
            className="w-auto"
            value={network}
            none="Choose a network"
            options={networks.map(({ id, label = id }) => ({ id, label }))}
            onChoose={(id) => setNetwork(id, { replace: true })}
          />
        </Field>
        {mayRun && network !== "" && form !== undefined && (
          <Link className="btn btn-primary" {...form}>
            Use in network
          </Link>
        )}
      </div>
      {unknown.length > 0 && (
        <p role="status" className="text-failed">
          No input of this network has the name {unknown.map(({ name }) => name).join(", ")}. Rename the column.
        </p>
      )}
      {mayRun && network !== "" && query !== undefined && (
        <SaveForm key={saved?.query_id ?? ""} network={network} query={query} saved={saved} />
      )}
    </div>
  );
}

/** The form of a network with a query. A saved one goes by its ID, so that the run records its name. */
function formOf(
  network: string,
  query: DatasetQuery | undefined,
  saved: SavedDatasetQuery | undefined,
): { readonly to: string; readonly state?: QueryState } | undefined {
  if (saved !== undefined) return { to: links.network({ id: network }, { tab: "run", query: saved.query_id }) };
  return query && { to: links.network({ id: network }, { tab: "run" }), state: { datasetQuery: query } };
}

interface SaveFormProps extends Pick<QueryBarProps, "saved" | "network"> {
  readonly query: DatasetQuery;
}

function SaveForm({ network, query, saved }: SaveFormProps) {
  const [name, setName] = useState(saved?.name ?? "");
  const [, setId] = useSearchParam("query");
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: (old: SavedDatasetQuery | undefined) => saveQuery({ name: name.trim(), network, query }, old),
    onSuccess: async (now) => {
      await invalidateRoutes(cache, "GET /api/dataset-queries");
      showToast(`Saved "${now.name}"`);
      setId(now.query_id, { replace: true });
    },
  });
  const submit = (): void => {
    if (name.trim() !== "") save.mutate(undefined);
  };
  return (
    <PlainForm className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <Field label="Query name">
        <Input className="w-56" maxLength={200} value={name} onType={setName} />
      </Field>
      {saved !== undefined && (
        <Button disabled={save.isPending} onClick={() => save.mutate(saved)}>
          Save changes
        </Button>
      )}
      <Button type="submit" disabled={save.isPending || name.trim() === ""}>
        {saved === undefined ? "Save query" : "Save as new"}
      </Button>
      {save.error !== null && <ErrorCard error={save.error} />}
    </PlainForm>
  );
}
