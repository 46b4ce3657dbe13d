import { AuthorGate } from "../components/author-gate.tsx";
import { OutdatedNetworks } from "../features/workbench/groups/outdated-networks.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

/** `/upgrades?kind=&id=&version=` */
export default function UpgradesRoute() {
  const [kind] = useSearchParam("kind");
  const [id] = useSearchParam("id");
  const [version] = useSearchParam("version");
  const used = { kind: kind === "network" ? "network" : "tool", id, version } as const;
  const title = `Networks on an older version of ${id}`;
  const crumb =
    used.kind === "tool" ? { label: id, to: `/tool/${id}/${version}` } : { label: id, to: `/network/${id}` };
  return (
    <>
      <PageHeading title={title} documentTitle={title} crumbs={[crumb]} />
      <AuthorGate>
        <OutdatedNetworks used={used} />
      </AuthorGate>
    </>
  );
}
