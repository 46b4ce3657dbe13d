import { useSyncExternalStore } from "react";
import { Link } from "react-router-dom";
import { Icon } from "./icon.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly link: { readonly label: string; readonly to: string } | undefined;
}

const SHOWN_MS = 6000;
const MAX_SHOWN = 3;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Shows a short message at the edge of the page for six seconds, with an optional link. */
export function showToast(text: string, link?: { readonly label: string; readonly to: string }): void {
  const toast = { id: nextId, text, link };
  nextId += 1;
  update([...toasts, toast].slice(-MAX_SHOWN));
  setTimeout(() => dismiss(toast.id), SHOWN_MS);
}

function dismiss(id: number): void {
  update(toasts.filter((toast) => toast.id !== id));
}

function update(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div
      role="status"
      className="pointer-events-none fixed right-4 bottom-4 z-60 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
    >
      {shown.map((toast) => (
        <div key={toast.id} className="popup pointer-events-auto flex items-center gap-3 py-2 pr-2 pl-4">
          <span className="min-w-0 flex-1 wrap-anywhere">{toast.text}</span>
          {toast.link !== undefined && (
            <Link className="link" to={toast.link.to}>
              {toast.link.label}
            </Link>
          )}
          <button
            type="button"
            className="btn btn-quiet btn-small"
            aria-label="Dismiss"
            onClick={() => dismiss(toast.id)}
          >
            <Icon name="close" className="size-3.5" />
          </button>
        </div>
      ))}
    </div>
  );
}
