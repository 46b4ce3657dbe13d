import { countText } from "@weft/shared/text/count-text.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { OutdatedNetwork, UsedProcess } from "@weft/shared/records/draft-group-record.ts";
import { Navigate, useNavigate } from "react-router-dom";
import { api } from "../api/client.ts";
import { routeQuery } from "../api/route-query.ts";
import { AuthorGate } from "../components/role-gate.tsx";
import { links } from "../format/links.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { CheckField } from "../ui/field.tsx";
import { Refusal } from "../ui/form.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { useToggledSet } from "../ui/use-toggled-set.ts";
import { NameLink } from "../ui/text-link.tsx";

/** `/upgrades?kind=&id=&version=` */
export default function UpgradesRoute() {
  const [kind] = useSearchParam("kind");
  const [id] = useSearchParam("id");
  const [version] = useSearchParam("version");
  if (id === "") return <Navigate to="/tool" replace />;
  const used = { kind: kind === "network" ? "network" : "tool", id, version } as const;
  const title = `Networks on an older version of ${id}`;
  const crumb = { label: id, to: used.kind === "tool" ? links.tool(used) : links.network({ id }) };
  return (
    <>
      <PageHeading title={title} crumbs={[crumb]} />
      <AuthorGate>
        <OutdatedNetworks used={used} />
      </AuthorGate>
    </>
  );
}

/** Networks that run an older version, with the changes of an upgrade; creates drafts of those that are selected. */
function OutdatedNetworks({ used }: { readonly used: UsedProcess }) {
  const query = useQuery(routeQuery("GET /api/upgrades", { query: used }));
  return (
    <QueryView query={query}>
      {({ networks }) =>
        networks.length === 0 ? (
          <EmptyState text={`No network uses a version of ${used.id} older than ${used.version}.`} />
        ) : (
          <UpgradeForm key={networks.length} used={used} networks={networks} />
        )
      }
    </QueryView>
  );
}

interface UpgradeFormProps {
  readonly used: UsedProcess;
  readonly networks: readonly OutdatedNetwork[];
}

function UpgradeForm({ used, networks }: UpgradeFormProps) {
  const [left, toggle] = useToggledSet<string>();
  const upgrade = useUpgrade(used);
  const columns: readonly Column<OutdatedNetwork>[] = [
    {
      label: "Network",
      render: (network) => <Choice network={network} isChosen={!left.has(network.id)} onToggle={toggle} />,
    },
    { label: "Runs", render: (network) => <Steps network={network} /> },
    { label: "What changes", render: (network) => <Changes network={network} /> },
  ];
  const chosen = networks.filter(({ id }) => !left.has(id)).map(({ id }) => id);
  return (
    <div className="space-y-3">
      <p className="text-soft">
        Weft creates a draft of each selected network, changes only the reference in its text, and runs its tests. You
        then publish the drafts together.
      </p>
      <DataTable
        caption={`Networks that use an older version of ${used.id}`}
        columns={columns}
        rows={networks}
        keyOf={({ id }) => id}
      />
      <Refusal of={upgrade.error} />
      <Button look="primary" disabled={chosen.length === 0 || upgrade.isPending} onClick={() => upgrade.mutate(chosen)}>
        {upgrade.isPending ? "Creating drafts…" : `Create ${countText(chosen.length, "draft")}`}
      </Button>
    </div>
  );
}

function useUpgrade(used: UsedProcess) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (networks: string[]) => {
      const { group_id: id } = await api("POST /api/upgrades", { body: { ...used, networks } });
      return api("POST /api/draft-groups/{group_id}/tests", { params: { group_id: id } });
    },
    onSuccess: ({ group_id: id }) => void navigate(`/draft-groups/${id}`),
  });
}

interface ChoiceProps {
  readonly network: OutdatedNetwork;
  readonly isChosen: boolean;
  readonly onToggle: (id: string) => void;
}

function Choice({ network: { id, version, label }, isChosen, onToggle }: ChoiceProps) {
  return (
    <CheckField isLong checked={isChosen} onCheck={() => onToggle(id)}>
      <span className="sr-only">Upgrade {id}</span>
      <span>
        <NameLink to={links.network({ id })}>
          {id} {version}
        </NameLink>
        {label !== undefined && <span className="block text-soft">{label}</span>}
      </span>
    </CheckField>
  );
}

function Steps({ network: { steps, other_versions: others } }: Pick<ChoiceProps, "network">) {
  return (
    <>
      <ul>
        {steps.map(({ step, version: old }) => (
          <li key={step}>
            {old ?? "no version"} <span className="text-soft">in {step}</span>
          </li>
        ))}
      </ul>
      {others.length > 0 && <span className="text-soft">Also in {others.join(", ")}</span>}
    </>
  );
}

function Changes({ network: { problems, changes } }: Pick<ChoiceProps, "network">) {
  return (
    <ul className="list-disc pl-4">
      {problems.map((problem) => (
        <li key={problem} className="text-failed">
          {problem}
        </li>
      ))}
      {changes.map(({ text }) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
