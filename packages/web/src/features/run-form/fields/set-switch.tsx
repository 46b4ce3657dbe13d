export interface SetSwitchProps {
  readonly label: string;
  readonly isSet: boolean;
  readonly defaultText?: string | undefined;
  readonly onChange: (isSet: boolean) => void;
}

/** Turns an optional value on and off. */
export function SetSwitch({ label, isSet, defaultText, onChange }: SetSwitchProps) {
  return (
    <label className={`${isSet ? "mb-2" : ""} flex min-h-8 w-fit cursor-pointer items-center gap-2 max-md:min-h-11`}>
      <input
        type="checkbox"
        className="accent-accent"
        checked={isSet}
        onChange={(event) => onChange(event.target.checked)}
      />
      {defaultText === undefined ? `Provide ${label}` : `Override default of ${label}`}
    </label>
  );
}
