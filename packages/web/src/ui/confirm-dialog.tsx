import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useRef, type ReactNode } from "react";
import { Button } from "./button.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly pending: boolean;
  /** Label of the button that closes the dialog without acting. */
  readonly keepLabel?: string;
  /** The action is not destructive. */
  readonly harmless?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before an irreversible or expensive action; initially focuses the safe button. */
export default function ConfirmDialog({
  title,
  children,
  confirmLabel,
  pending,
  keepLabel = "Cancel",
  harmless = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  // With `autoFocus`, the dialog would not know where the focus came from and could not return it.
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog.Root open onOpenChange={(next) => !next && !pending && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup
          initialFocus={keep}
          className="popup fixed top-1/2 left-1/2 z-50 w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 p-5"
        >
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-2 text-soft">
            {children}
          </AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Close ref={keep} className="btn" disabled={pending}>
              {keepLabel}
            </AlertDialog.Close>
            <Button look={harmless ? "primary" : "danger"} disabled={pending} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
