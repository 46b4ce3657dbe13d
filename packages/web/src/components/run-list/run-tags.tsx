import { Link } from "react-router-dom";
import { links } from "../../format/links.ts";

interface RunTagsProps {
  readonly tags: Readonly<Record<string, string>>;
  readonly most?: number;
}

/** The tags of a run, each linked to the runs that have it. */
export function RunTags({ tags, most = 20 }: RunTagsProps) {
  const entries = Object.entries(tags);
  if (entries.length === 0) return null;
  return (
    <span className="inline-flex max-w-full flex-wrap gap-1">
      {entries.slice(0, most).map(([key, value]) => (
        <Link
          key={key}
          to={links.runs({ tag: value === "" ? key : `${key}:${value}` })}
          className="inline-block max-w-60 truncate rounded bg-sunken px-1.5 py-0.5 text-small text-soft hover:text-ink max-md:py-1.5"
          title={`Runs tagged ${key}`}
        >
          {value === "" ? key : `${key}: ${value}`}
        </Link>
      ))}
      {entries.length > most && <span className="text-small text-soft">and {entries.length - most} more</span>}
    </span>
  );
}
