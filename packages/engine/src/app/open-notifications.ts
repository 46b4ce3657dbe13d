import { Notifier } from "../notify/notifier.ts";
import { Sender } from "../notify/sender.ts";
import { SubscriptionFiles } from "../notify/subscription-files.ts";
import type { ActAs } from "../port/engine.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { ServerState } from "./server-state.ts";

export interface Notifications {
  readonly files: SubscriptionFiles;
  readonly sender: Sender;
  readonly actAs: ActAs;
  readonly close: () => Promise<void>;
}

type Options = Pick<EngineOptions, "notifications" | "actAs" | "listening" | "log">;

/** Sends what the outbox has as soon as the server listens, because messages link to its pages. */
export function openNotifications({ folder, journal, failed }: ServerState, options: Options): Notifications {
  const { notifications: { delaysMs, ...settings } = {}, actAs = () => undefined, listening, log } = options;
  const files = new SubscriptionFiles(folder.subscriptions);
  files.removeAllBut(new Set(journal.read.subscriptions().map(({ subscriptionId }) => subscriptionId)));
  const sender = new Sender(settings, files);
  let notifier: Notifier | undefined;
  let isOver = false;
  const begin = () => {
    if (!isOver) notifier = new Notifier({ journal, sender, actAs, delaysMs, log });
  };
  if (listening === undefined) begin();
  else void listening.then(begin);
  const close = async () => {
    isOver = true;
    await notifier?.close();
  };
  void failed.then(close);
  return { files, sender, actAs, close };
}
