import { useEffect, useState } from "react";
import { useSearchParam } from "../../ui/use-search-param.ts";

const PAUSE_MS = 400;

/** The pattern of a folder that is not BIDS, in the URL (`?pattern=`); the page shows what it reads while people type. */
export function PatternField() {
  const [pattern, setPattern] = useSearchParam("pattern");
  const [text, setText] = useState(pattern);
  useEffect(() => {
    if (text === pattern) return;
    const timer = setTimeout(() => setPattern(text, { replace: true }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, pattern, setPattern]);
  return (
    <label className="block">
      <span className="mb-1 block font-medium">Pattern of file names</span>
      <input
        className="input w-full max-w-160 font-mono"
        placeholder="{sample}/{session}_R{read}.fastq.gz"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="mt-1 block text-[0.8125rem] text-soft">
        <code>{"{name}"}</code> is a field, <code>*</code> any text, <code>**</code> any folders.
      </span>
    </label>
  );
}
