import { useLocation } from "react-router-dom";
import { NotFoundCard } from "../components/not-found-card.tsx";
import { nearestPages } from "../format/nearest-pages.ts";

/** Any unknown path. */
export function NotFoundRoute() {
  const { pathname } = useLocation();
  return (
    <NotFoundCard title="Page not found" text={`There is no page at ${pathname}.`} links={nearestPages(pathname)} />
  );
}
