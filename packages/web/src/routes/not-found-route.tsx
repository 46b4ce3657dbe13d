import { useLocation } from "react-router-dom";
import { NotFoundCard } from "../components/not-found-card.tsx";
import { nearestPages } from "../format/nearest-pages.ts";

/** Any address that no page has. */
export function NotFoundRoute() {
  const { pathname } = useLocation();
  return <NotFoundCard title="Page not found" text={`No page is at ${pathname}.`} links={nearestPages(pathname)} />;
}
