import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export interface DialogFrameProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** Position and size of the dialog. */
  readonly className: string;
}

/** Title, close button and scrolling content: the inside of every dialog. */
export function DialogFrame({ title, children, className }: DialogFrameProps) {
  return (
    <Dialog.Popup className={`flex flex-col ${className}`}>
      <div className="flex items-center gap-3 border-b border-line px-4 py-2.5">
        <Dialog.Title render={<h2 />} className="min-w-0 flex-1 wrap-anywhere">
          {title}
        </Dialog.Title>
        <Dialog.Close className="btn btn-quiet btn-small max-md:min-w-11" aria-label="Close">
          <Icon name="close" />
        </Dialog.Close>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
    </Dialog.Popup>
  );
}
