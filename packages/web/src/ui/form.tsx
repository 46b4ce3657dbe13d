import type { ComponentProps, ReactNode, SubmitEvent } from "react";
import { Button } from "./button.tsx";

interface RefusalProps {
  /** The error or its text; without either, nothing is shown. */
  readonly of: Error | string | null | undefined;
  readonly className?: string;
}

/** Shows why a request was refused. */
export function Refusal({ of, className = "" }: RefusalProps) {
  const text = of instanceof Error ? of.message : of;
  if (text === null || text === undefined || text === "") return null;
  return (
    <p role="alert" className={`text-failed wrap-anywhere ${className}`}>
      {text}
    </p>
  );
}

interface PlainFormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  readonly onSubmit: (form: FormData) => void;
}

/** A form of any layout that passes its fields to `onSubmit`. */
export function PlainForm({ onSubmit, ...props }: PlainFormProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget, event.nativeEvent.submitter));
  };
  return <form onSubmit={submit} {...props} />;
}

export interface FormProps {
  readonly submitLabel: string;
  readonly pendingLabel?: string;
  readonly isPending?: boolean;
  /** True while the form cannot be submitted. */
  readonly isBlocked?: boolean;
  readonly refusal?: RefusalProps["of"];
  /** Buttons next to the first; a button that submits is a field of the form. */
  readonly otherButtons?: ReactNode;
  readonly children: ReactNode;
  readonly onSubmit: (form: FormData) => void;
}

/** A form with a button below its fields, and with a refusal next to the button. */
export function Form(props: FormProps & { readonly className?: string }) {
  const { submitLabel, isPending = false, pendingLabel = submitLabel, isBlocked = false, children, onSubmit } = props;
  return (
    <PlainForm className={props.className ?? "space-y-4"} onSubmit={onSubmit}>
      {children}
      <Refusal of={props.refusal} />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" type="submit" disabled={isPending || isBlocked}>
          {isPending ? pendingLabel : submitLabel}
        </Button>
        {props.otherButtons}
      </div>
    </PlainForm>
  );
}
