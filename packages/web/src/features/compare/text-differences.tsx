import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { textHeadQuery } from "../../api/file-queries.ts";
import { contentUrl } from "../../components/file-link.tsx";
import { LineDiff } from "../../components/line-diff.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { MARKS } from "./compare-runs.ts";
import { differsInLineEndsOnly, isText, MAX_TEXT_BYTES, type TextPair } from "./text-pairs.ts";

/** More are not offered. */
const SHOWN = 100;

/** Small outputs that differ, line by line; each is read when it is opened. */
export function TextDifferences({ pairs }: { readonly pairs: readonly TextPair[] }) {
  const readable = pairs.flatMap((pair) => {
    const [before, after] = [contentUrl(pair.before), contentUrl(pair.after)];
    return before === undefined || after === undefined ? [] : [{ pair, before, after }];
  });
  if (readable.length === 0) return null;
  return (
    <TitledSection title="Text differences">
      <p className="mb-2 text-soft">
        Of outputs up to 64 KiB. − stands in {MARKS[0]} only, + in the other run only.
        {readable.length > SHOWN && ` The first ${SHOWN} of ${readable.length} are listed.`}
      </p>
      <ul className="card divide-y divide-line">
        {readable.slice(0, SHOWN).map(({ pair, before, after }) => (
          <li key={`${pair.name} ${pair.mark}`}>
            <TextDifference pair={pair} before={before} after={after} />
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

interface TextDifferenceProps {
  readonly pair: TextPair;
  /** Where the contents are read. */
  readonly before: string;
  readonly after: string;
}

function TextDifference(props: TextDifferenceProps) {
  const [isOpen, setOpen] = useState(false);
  const { name, mark } = props.pair;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer px-4 py-2 wrap-anywhere max-md:min-h-11">
        <span className="font-medium">{name}</span>{" "}
        <span className="text-soft">
          {MARKS[0]} and {mark}
        </span>
      </summary>
      {isOpen && (
        <div className="px-4 pb-3">
          <ReadDifference {...props} />
        </div>
      )}
    </details>
  );
}

function ReadDifference({ pair, before, after }: TextDifferenceProps) {
  const first = useQuery(textHeadQuery(before, MAX_TEXT_BYTES));
  const second = useQuery(textHeadQuery(after, MAX_TEXT_BYTES));
  return (
    <QueryView query={first} rows={2}>
      {({ text: old }) => (
        <QueryView query={second} rows={2}>
          {({ text: fresh }) => <Difference label={`Lines of ${pair.name}, A and ${pair.mark}`} texts={[old, fresh]} />}
        </QueryView>
      )}
    </QueryView>
  );
}

function Difference({ label, texts }: { readonly label: string; readonly texts: readonly [string, string] }) {
  const [before, after] = texts;
  if (!isText(before) || !isText(after)) return <p className="text-soft">They are no texts.</p>;
  if (differsInLineEndsOnly(before, after)) return <p className="text-soft">Only line ends differ.</p>;
  return <LineDiff label={label} before={before} after={after} />;
}
