import type { FormEvent, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Modal } from "./modal.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  /** Why the form was refused; undefined if nothing was. */
  readonly refusal?: string | undefined;
  readonly isPending?: boolean;
  readonly pendingLabel?: string;
  readonly children: ReactNode;
  readonly onSubmit: (form: FormData) => void;
  readonly onClose: () => void;
}

/** A dialog with a form: it asks before it drops what was typed, and shows a refusal next to the button. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    submitLabel,
    refusal,
    isPending = false,
    pendingLabel = submitLabel,
    children,
    onSubmit,
    onClose,
  } = props;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Modal title={title} onClose={onClose} isForm>
      <form className="space-y-4" onSubmit={submit}>
        {children}
        {refusal !== undefined && (
          <p role="alert" className="text-failed wrap-anywhere">
            {refusal}
          </p>
        )}
        <Button look="primary" type="submit" disabled={isPending}>
          {isPending ? pendingLabel : submitLabel}
        </Button>
      </form>
    </Modal>
  );
}
