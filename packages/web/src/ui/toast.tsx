import { onDemand } from "./on-demand.tsx";
import type { ToastLink } from "./toast-region.tsx";

/** The library is a tenth of the initial page size, so it loads later. The page works without it. */
const load = () => import("./toast-region.tsx").catch(() => undefined);
const Region = onDemand(async () => ({ default: (await load())?.ToastRegion ?? (() => null) }));

/** Shows a short message at the edge of the page, with an optional link. */
export function showToast(text: string, link?: ToastLink): void {
  void load().then((region) => region?.toasts.add({ description: text, data: { link } }));
}

/** Shows an error. Unlike other messages, it stays until the user dismisses it. */
export function showError(text: string): void {
  void load().then((region) =>
    region?.toasts.add({ description: text, type: "error", priority: "high", timeout: 0, data: { link: undefined } }),
  );
}

export function ToastRegion() {
  return <Region />;
}
