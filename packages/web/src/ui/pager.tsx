import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { Button } from "./button.tsx";
import { useSearchParam } from "./use-search-param.ts";

interface PagerProps {
  readonly nextPageToken: string;
  readonly shown: number;
  readonly total: number | null;
  /** Noun for the items, in the singular. */
  readonly noun: string;
}

/** Pages through a list; the page is in the URL, so the browser's back button works. */
export function Pager({ nextPageToken, shown, total, noun }: PagerProps) {
  const [page, setPage] = useSearchParam("page");
  const isWhole = page === "" && nextPageToken === "";
  const items = countText(shown, noun);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 text-soft">
      <span>
        {isWhole
          ? items
          : total === null
            ? `${items} on this page`
            : `${numberText(shown)} of ${countText(total, noun)}`}
      </span>
      {!isWhole && (
        <div className="ml-auto flex gap-2">
          <Button disabled={page === ""} onClick={() => setPage("")}>
            First page
          </Button>
          <Button disabled={nextPageToken === ""} onClick={() => setPage(nextPageToken)}>
            Next page
          </Button>
        </div>
      )}
    </div>
  );
}
