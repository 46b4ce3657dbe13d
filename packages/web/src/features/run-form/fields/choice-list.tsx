export interface Choice {
  readonly id: string;
  readonly label: string;
}

export interface ChoiceListProps {
  /** Unique on the page. */
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** Radio buttons in a row. */
export function ChoiceList({ name, choices, chosen, onChoose }: ChoiceListProps) {
  return (
    <div className="flex flex-wrap gap-1.5">
      {choices.map((choice) => (
        <label
          key={choice.id}
          className="flex min-h-8 cursor-pointer items-center gap-2 rounded-lg border border-line bg-surface px-2.5 hover:border-edge has-checked:border-accent has-checked:bg-accent-soft max-md:min-h-11"
        >
          <input
            type="radio"
            className="accent-accent"
            name={name}
            checked={choice.id === chosen}
            onChange={() => onChoose(choice.id)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

/** Marks the default choice. */
export function markDefault(choice: Choice, defaultText: string | undefined): Choice {
  return choice.id === defaultText ? { ...choice, label: `${choice.label} (default)` } : choice;
}
