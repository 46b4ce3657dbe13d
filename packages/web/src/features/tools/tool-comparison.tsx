import { useQuery } from "@tanstack/react-query";
import type { Tool } from "@weft/shared/records/process-record.ts";
import { toolQuery } from "../../api/queries/catalog-queries.ts";
import { LineDiff } from "../../components/line-diff.tsx";
import { VersionSelect } from "../../components/process/version-select.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { type SourcePair, compareTools, pairSources } from "./compare-tools.ts";
import { Pill } from "../../ui/state-badge.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

/** Changes between this version and the one in the URL (`?with=`). */
export default function ToolComparison({ tool }: { readonly tool: Tool }) {
  const [wanted, setWanted] = useSearchParam("with");
  const others = tool.versions.filter(({ version }) => version !== tool.version);
  const other = others.find(({ version }) => version === wanted) ?? others[0];
  if (other === undefined) return <EmptyState text="This is the only version." />;
  return (
    <div className="space-y-3">
      <VersionSelect
        label={`${tool.version ?? ""} compared with`}
        versions={others}
        value={other.version}
        onChange={setWanted}
      />
      <ComparisonList
        tool={tool}
        other={other.version}
        isOlder={indexOf(tool, other.version) > indexOf(tool, tool.version)}
      />
    </div>
  );
}

/** Versions are sorted newest first. */
function indexOf(tool: Tool, version: string | null): number {
  return tool.versions.findIndex((entry) => entry.version === version);
}

interface ComparisonListProps {
  readonly tool: Tool;
  /** The other version of the tool. */
  readonly other: string;
  /** True if the other version is the older one. */
  readonly isOlder: boolean;
}

function ComparisonList({ tool, other, isOlder }: ComparisonListProps) {
  const query = useQuery(toolQuery(tool.id, other));
  return (
    <QueryView query={query}>
      {(data) => {
        const [older, newer] = isOlder ? [data, tool] : [tool, data];
        const [from, to] = isOlder ? [other, tool.version] : [tool.version, other];
        return (
          <div className="space-y-5">
            <TitledSection card title={`From ${from} to ${to}`}>
              <Differences older={older} newer={newer} />
            </TitledSection>
            <SourceDiff older={older} newer={newer} />
          </div>
        );
      }}
    </QueryView>
  );
}

const EFFECT_LOOKS = {
  breaking: { word: "breaking", tone: "failed" },
  results: { word: "results may differ", tone: "canceled" },
  compatible: { word: "compatible", tone: "queued" },
} as const;

function Differences({ older, newer }: { readonly older: Tool; readonly newer: Tool }) {
  const differences = compareTools(older, newer);
  return (
    <>
      {differences.length === 0 && (
        <p className="text-soft">Inputs, outputs, command line, container and resources are identical.</p>
      )}
      <ul className="space-y-1.5">
        {differences.map(({ text, effect }) => (
          <li key={text} className="flex items-baseline gap-2">
            <Pill tone={EFFECT_LOOKS[effect].tone} className="shrink-0">
              {EFFECT_LOOKS[effect].word}
            </Pill>
            <span className="wrap-anywhere">{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Line diff of the documents of two versions. */
function SourceDiff({ older, newer }: { readonly older: Tool; readonly newer: Tool }) {
  return (
    <TitledSection title="Source">
      <div className="space-y-4">
        {pairSources(older.source, newer.source).map((pair) => (
          <FileDiff key={pair.name} pair={pair} />
        ))}
      </div>
    </TitledSection>
  );
}

function FileDiff({ pair }: { readonly pair: SourcePair }) {
  return (
    <div>
      <h3 className="code mb-1 wrap-anywhere">
        {pair.name}
        {pair.before === undefined && " (new)"}
        {pair.after === undefined && " (removed)"}
      </h3>
      <LineDiff label={`Changes of ${pair.name}`} before={pair.before ?? ""} after={pair.after ?? ""} />
    </div>
  );
}
