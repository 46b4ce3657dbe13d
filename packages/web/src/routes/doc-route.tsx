import { Navigate, useLocation, useParams, useSearchParams } from "react-router-dom";
import { pages } from "virtual:docs";
import { NotFoundCard } from "../components/record-page.tsx";
import { DocPage } from "../features/docs/doc-page.tsx";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/doc/<path of the page>?q=` */
export default function DocRoute() {
  const path = (useParams()["*"] ?? "").replace(/\/$/, "");
  const [params] = useSearchParams();
  const { hash } = useLocation();
  const moved = CHAPTERS[params.get("topic") ?? ""];
  if (moved !== undefined) return <Navigate to={`/doc/${moved}${hash.toLowerCase()}`} replace />;
  const page = pages[path];
  if (page === undefined)
    return (
      <NotFoundCard
        title="No such page"
        text={`The documentation has no page ${path}.`}
        links={[{ label: "Documentation", to: "/doc" }]}
      />
    );
  const q = params.get("q") ?? "";
  const title = q === "" ? page.title : "Search in the documentation";
  const crumbs = path === "" ? [] : [{ label: "Docs", to: "/doc" }];
  return (
    <>
      <PageHeading title={title} documentTitle={`${title} - Docs`} crumbs={crumbs} />
      <DocPage path={path} load={page.load} q={q} />
    </>
  );
}

/** Addresses of the first guide, whose chapters were `?topic=`. */
const CHAPTERS: Readonly<Record<string, string>> = {
  "getting-started": "tutorials/first-run",
  "running-a-network": "how-to/run-a-network",
  "inputs-and-files": "how-to/choose-inputs",
  "watching-and-aborting": "how-to/watch-a-run",
  "outputs-and-provenance": "how-to/use-results",
  "states-and-reasons": "reference/states",
  "rest-api": "how-to/use-the-api",
  "writing-a-catalog": "how-to/write-a-catalog",
  "running-a-server": "how-to/operate-a-server",
  problems: "reference/problems",
};
