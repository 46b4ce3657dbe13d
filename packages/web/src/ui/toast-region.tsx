import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import type { PageLink } from "../format/nearest-pages.ts";
import { Icon } from "./icon.tsx";
import { TextLink } from "./text-link.tsx";

const SHOWN_MS = 6000;
const MAX_SHOWN = 3;

export const toasts = Toast.createToastManager<{ readonly link: PageLink | undefined }>();

const mounted = Promise.withResolvers<void>();
/** Resolves once the region can show messages: the library drops those that come earlier. */
export const isMounted = mounted.promise;

/** The messages at the edge of the page: six seconds each, longer while the pointer or focus is on one; errors stay. */
export function ToastRegion() {
  useEffect(() => mounted.resolve(), []);
  return (
    <Toast.Provider toastManager={toasts} timeout={SHOWN_MS} limit={MAX_SHOWN}>
      <Toast.Viewport className="pointer-events-none fixed right-4 bottom-4 z-60 flex w-[min(24rem,calc(100vw-2rem))] flex-col-reverse gap-2">
        <Toasts />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

function Toasts() {
  const shown = Toast.useToastManager<{ readonly link: PageLink | undefined }>().toasts;
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // The library gives a message the role of a dialog, which it is not; its live region announces the text.
      role="group"
      aria-modal={undefined}
      className="popup pointer-events-auto flex items-center gap-3 py-2 pr-2 pl-4 data-limited:hidden"
    >
      {toast.type === "error" && <Icon name="error" className="size-4 shrink-0 text-failed" />}
      <Toast.Description className="min-w-0 flex-1 wrap-anywhere" />
      {toast.data?.link !== undefined && <TextLink to={toast.data.link.to}>{toast.data.link.label}</TextLink>}
      {/* The library hides it from assistive technology until the messages have the focus, but the Tab key reaches it. */}
      <Toast.Close className="btn btn-quiet btn-small" aria-label="Dismiss" aria-hidden={false}>
        <Icon name="close" className="size-3.5" />
      </Toast.Close>
    </Toast.Root>
  ));
}
