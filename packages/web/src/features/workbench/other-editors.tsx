import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { draftEditorsQuery, leaveDraft } from "../../api/draft-queries.ts";

const NAMED = 3;

/** Who else has the draft open; nothing if nobody has. */
export function OtherEditors({ draftId }: { readonly draftId: string }) {
  const [window] = useState(() => crypto.randomUUID());
  const { data = [] } = useQuery(draftEditorsQuery(draftId, window));
  useEffect(() => {
    const leave = (): void => leaveDraft(draftId, window);
    globalThis.addEventListener("pagehide", leave);
    return () => {
      globalThis.removeEventListener("pagehide", leave);
      leave();
    };
  }, [draftId, window]);
  const text = editorsText(data);
  return (
    <span role="status" aria-label="Other editors">
      {text !== "" && (
        <span className="rounded-full bg-running-soft px-2 py-0.5 text-[0.8125rem] font-semibold text-running">
          {text}
        </span>
      )}
    </span>
  );
}

/** `ann and bob are also editing`; one person may have several windows. */
function editorsText(names: readonly string[]): string {
  const people = [...new Set(names)];
  const [first] = people;
  if (first === undefined) return "";
  if (people.length === 1) return `${first} is also editing`;
  const shown = people.slice(0, NAMED).join(", ");
  return people.length > NAMED
    ? `${shown} and ${people.length - NAMED} more are also editing`
    : `${shown} are also editing`;
}
