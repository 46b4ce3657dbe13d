import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Refusal } from "./form.tsx";
import { onDemand } from "./on-demand.tsx";

const ConfirmDialog = onDemand(() => import("./confirm-dialog.tsx"));

interface DeleteButtonProps {
  /** The question, which names the thing. */
  readonly title: string;
  /** The kind of thing: `automation`. */
  readonly noun: string;
  readonly remove: { readonly mutate: () => void; readonly isPending: boolean; readonly error: Error | null };
  /** The other things that are lost, and those that are kept. */
  readonly children: ReactNode;
  /** In a row of a table; `noun` then names the thing, too. */
  readonly small?: boolean;
}

/** Asks before it deletes. A refusal stays next to the question. */
export function DeleteButton({ title, noun, remove, children, small = false }: DeleteButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button small={small} onClick={() => setIsAsking(true)}>
        Delete…{small && <span className="sr-only"> {noun}</span>}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={title}
          confirmLabel={`Delete ${noun}`}
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>{children}</p>
          <Refusal className="mt-2" of={remove.error && `Nothing was deleted: ${remove.error.message}`} />
        </ConfirmDialog>
      )}
    </>
  );
}
