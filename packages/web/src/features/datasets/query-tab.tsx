import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { writeConditions } from "@weft/shared/dataset/condition-text.ts";
import type { DatasetDetail, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { useEffect, useMemo, useState } from "react";
import { networkListQuery, networkQuery } from "../../api/catalog-queries.ts";
import { datasetResultQuery, type DatasetPlace } from "../../api/dataset-queries.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { ColumnRows } from "./column-rows.tsx";
import { ConditionRows } from "./condition-rows.tsx";
import { QueryBar } from "./query-bar.tsx";
import { buildQuery, draftOf, firstDraft, parseDraft, type BuiltQuery, type QueryDraft } from "./query-model.ts";
import { QueryResultView } from "./query-result.tsx";
import { UnitChoice } from "./unit-choice.tsx";
import { useSettled } from "./use-settled.ts";

const PAUSE_MS = 400;

export interface QueryTabProps {
  readonly place: DatasetPlace;
  readonly detail: DatasetDetail;
  readonly saved: SavedDatasetQuery | undefined;
}

/** The query builder, with what it finds and leaves out. The URL has the builder's content (`?ask=`). */
export function QueryTab({ place, detail, saved }: QueryTabProps) {
  const [network] = useSearchParam("network");
  const networks = useQuery(networkListQuery(""));
  const target = useQuery({ ...networkQuery(network, undefined), enabled: network !== "" });
  const inputs = target.data?.inputs ?? [];
  const [edited, setEdited] = useDraftInUrl();
  const draft = edited ?? (saved === undefined ? firstDraft(detail, inputs) : draftOf(saved.query));
  const change = (part: Partial<QueryDraft>): void => setEdited({ ...draft, ...part });
  const { location, pattern } = place;
  const built = useMemo(() => buildQuery({ location, pattern }, draft), [location, pattern, draft]);
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
        networks={networks.data?.networks.map(({ id }) => id) ?? []}
        network={network}
        query={query}
        saved={saved}
        isChanged={saved === undefined || JSON.stringify(draft) !== JSON.stringify(draftOf(saved.query))}
      />
    </div>
  );
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
  const options = useMemo(() => datasetResultQuery(JSON.parse(asked) as typeof query), [asked]);
  const result = useQuery({ ...options, placeholderData: keepPreviousData });
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
