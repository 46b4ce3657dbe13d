import type { ReactNode } from "react";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

export interface SettableFrameProps extends FieldProps {
  /** The value after switching it on. */
  readonly start: unknown;
  readonly children: ReactNode;
}

/** The frame of a list or record; an optional one has a switch that sets or clears it. */
export function SettableFrame({ start, children, ...field }: SettableFrameProps) {
  const [value, setValue] = useFieldValue(field.path);
  const isSet = field.required || (value !== undefined && value !== null);
  return (
    <FieldFrame group {...field}>
      {() => (
        <>
          {!field.required && (
            <SetSwitch
              label={field.label}
              isSet={isSet}
              defaultText={field.defaultText}
              onChange={(on) => setValue(on ? start : undefined)}
            />
          )}
          {isSet && children}
        </>
      )}
    </FieldFrame>
  );
}

interface SetSwitchProps {
  readonly label: string;
  readonly isSet: boolean;
  readonly defaultText?: string | undefined;
  readonly onChange: (isSet: boolean) => void;
}

/** Turns an optional value on and off. */
function SetSwitch({ label, isSet, defaultText, onChange }: SetSwitchProps) {
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
