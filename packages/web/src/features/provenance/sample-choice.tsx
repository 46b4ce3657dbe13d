import { useId, useState } from "react";

/** So many names are suggested at a time. */
const SUGGESTED = 50;

export interface SampleChoiceProps {
  /** At most the first 1,000; others can be typed. */
  readonly samples: readonly string[];
  /** "" for all together. */
  readonly value: string;
  readonly onChange: (sample: string) => void;
}

/** One sample, or all of them together. */
export function SampleChoice({ samples, value, onChange }: SampleChoiceProps) {
  const id = useId();
  const [text, setText] = useText(value);
  const choose = (name: string): void => {
    setText(name);
    if (name === "" || samples.includes(name)) onChange(name);
  };
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim());
      }}
    >
      <label className="flex items-center gap-2">
        <span className="font-semibold">Sample</span>
        <input
          className="input w-48"
          list={id}
          value={text}
          placeholder={`all ${samples.length >= 1000 ? "" : `${samples.length} `}together`}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => choose(event.target.value)}
        />
      </label>
      <Suggestions id={id} samples={samples} text={text} />
      {value !== "" && (
        <button type="button" className="btn" onClick={() => choose("")}>
          All samples
        </button>
      )}
    </form>
  );
}

/** The typed text; it follows the value when a link or the back button changes that. */
function useText(value: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  return [text, setText];
}

interface SuggestionsProps {
  readonly id: string;
  readonly samples: readonly string[];
  readonly text: string;
}

function Suggestions({ id, samples, text }: SuggestionsProps) {
  const shown = samples.filter((name) => name.includes(text) && name !== text).slice(0, SUGGESTED);
  return (
    <datalist id={id}>
      {shown.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
