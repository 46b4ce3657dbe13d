import { useSearchParams } from "react-router-dom";
import { NotFoundCard } from "../components/not-found-card.tsx";
import { GuidePage } from "../features/guide/guide-page.tsx";
import { TOPICS } from "../features/guide/topics.ts";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/doc?topic=&q=` */
export default function DocRoute() {
  const [params] = useSearchParams();
  const wanted = params.get("topic") ?? TOPICS[0]?.id;
  const topic = TOPICS.find(({ id }) => id === wanted);
  if (topic === undefined)
    return (
      <NotFoundCard
        title="No such chapter"
        text={`The guide has no chapter ${wanted ?? ""}.`}
        links={[{ label: "The guide", to: "/doc" }]}
      />
    );
  const q = params.get("q") ?? "";
  const title = q === "" ? topic.title : "Search in the guide";
  return (
    <>
      <PageHeading title={title} documentTitle={`${title} - Docs`} crumbs={[{ label: "Docs", to: "/doc" }]} />
      <GuidePage topic={topic} q={q} />
    </>
  );
}
