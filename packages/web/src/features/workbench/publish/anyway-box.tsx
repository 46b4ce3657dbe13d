interface AnywayBoxProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** The author's decision to publish without success in all tests. */
export function AnywayBox({ isOn, onChange }: AnywayBoxProps) {
  return (
    <label className="flex items-start gap-2">
      <input type="checkbox" className="mt-1" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span>
        Publish anyway <span className="text-soft">(the audit log records that tests had not passed)</span>
      </span>
    </label>
  );
}
