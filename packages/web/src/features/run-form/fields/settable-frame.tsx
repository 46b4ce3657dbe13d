import type { ReactNode } from "react";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";
import { SetSwitch } from "./set-switch.tsx";

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
