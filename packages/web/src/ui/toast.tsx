import type { PageLink } from "../format/nearest-pages.ts";
import { onDemand } from "./on-demand.tsx";
import type { toasts } from "./toast-region.tsx";

/** The library is a tenth of the initial page size, so it loads later. The page works without it. */
const load = () => import("./toast-region.tsx").catch(() => undefined);
type Message = Parameters<typeof toasts.add>[0];
const Region = onDemand(async () => ({ default: (await load())?.ToastRegion ?? (() => null) }));

/** Shows a short message at the edge of the page, with an optional link. */
export function showToast(text: string, link?: PageLink): void {
  void add({ description: text, data: { link } });
}

/** Shows an error. Unlike other messages, it stays until the user dismisses it. */
export function showError(text: string): void {
  void add({ description: text, type: "error", priority: "high", timeout: 0, data: { link: undefined } });
}

async function add(message: Message): Promise<void> {
  const region = await load();
  await region?.isMounted;
  region?.toasts.add(message);
}

export function ToastRegion() {
  return <Region />;
}
