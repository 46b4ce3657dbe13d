import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Delivery, Subscription } from "@weft/shared/records/subscription-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { useRights } from "../api/session-query.ts";
import {
  deliveriesQuery,
  resend,
  sendTest,
  subscriptionKeys,
  subscriptionsQuery,
  unsubscribe,
} from "../api/subscription-queries.ts";
import {
  CHANNEL_LABELS,
  REASON_LABELS,
  STATE_LABELS,
  scopeText,
  triggersText,
} from "../features/notifications/subscription-texts.ts";
import { countText, numberText } from "../format/count-text.ts";
import { formatDateTime } from "../format/format-time.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { SidePanel } from "../ui/modal.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const SubscribeDialog = onDemand(() => import("../features/notifications/subscribe-dialog.tsx"), null);

const COLUMNS: readonly Column[] = [
  { label: "Subscription" },
  { label: "About" },
  { label: "When" },
  { label: "Owner" },
  { label: "Last delivery" },
  { label: "Waiting", number: true },
];

const ConfirmDialog = onDemand(() => import("../ui/confirm-dialog.tsx"), null);

/** `/notifications?subscription=&new=&network=`: webhooks, mails and feeds. */
export default function NotificationsRoute() {
  return (
    <>
      <PageHeading title="Notifications" documentTitle="Notifications" />
      <SubscriptionList />
    </>
  );
}

/** `?subscription=` shows its deliveries; `?new=1&network=` opens the form. */
function SubscriptionList() {
  const { has } = useRights();
  const subscriptions = useQuery(subscriptionsQuery());
  const [isNew, setIsNew] = useSearchParam("new");
  const [selected, setSelected] = useSearchParam("subscription");
  return (
    <QueryView query={subscriptions}>
      {({ subscriptions: all, channels }) => (
        <>
          {has("runner") && (
            <div className="mb-3 flex justify-end">
              <Button look="primary" onClick={() => setIsNew("1")}>
                New subscription…
              </Button>
            </div>
          )}
          <SubscriptionTable all={all} />
          {isNew !== "" && <SubscribeDialog channels={channels} onClose={() => setIsNew("")} />}
          {all
            .filter(({ subscription_id: id }) => id === selected)
            .map((subscription) => (
              <DeliveryPanel key={selected} subscription={subscription} onClose={() => setSelected("")} />
            ))}
        </>
      )}
    </QueryView>
  );
}

function SubscriptionTable({ all }: { readonly all: readonly Subscription[] }) {
  if (all.length === 0)
    return <EmptyState text="No subscriptions yet. Weft can notify you by webhook, email or feed when runs end." />;
  return (
    <DataTable caption="Subscriptions, newest first" columns={COLUMNS}>
      {all.map((subscription) => (
        <SubscriptionRow key={subscription.subscription_id} subscription={subscription} />
      ))}
    </DataTable>
  );
}

function SubscriptionRow({ subscription }: { readonly subscription: Subscription }) {
  const { subscription_id: id, name, channel, target, scope, owner, last_delivery: last, pending } = subscription;
  return (
    <tr>
      <td>
        <div>
          <Link className="link font-medium wrap-anywhere" to={`?subscription=${id}`}>
            {name}
          </Link>
          <span className="block text-soft wrap-anywhere">
            {CHANNEL_LABELS[channel]}: {target}
          </span>
        </div>
      </td>
      <td data-label="About" className="wrap-anywhere">
        {scopeText(scope)}
      </td>
      <td data-label="When">{triggersText(subscription)}</td>
      <td data-label="Owner">{owner}</td>
      <td data-label="Last delivery">
        {last === null ? (
          <span className="text-soft">{channel === "feed" ? "read by feed readers" : "none yet"}</span>
        ) : (
          <div>
            {last.state === "pending" ? "Will be retried" : STATE_LABELS[last.state]}, {formatDateTime(last.at)}
            {last.error !== "" && <span className="block text-failed wrap-anywhere">{last.error}</span>}
          </div>
        )}
      </td>
      <td data-label="Waiting" className="number">
        {pending}
      </td>
    </tr>
  );
}

interface DeliveryPanelProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** The messages to a subscription, with their actions. */
function DeliveryPanel({ subscription, onClose }: DeliveryPanelProps) {
  const { has } = useRights();
  const remove = useChange(() => unsubscribe(subscription.subscription_id), onClose);
  return (
    <SidePanel title={subscription.name} onClose={onClose}>
      <div className="space-y-4">
        {has("runner") && <Actions subscription={subscription} remove={remove} />}
        {subscription.channel === "feed" ? (
          <p className="text-soft">A feed is read by feed readers, so nothing is sent.</p>
        ) : (
          <Deliveries subscription={subscription} isGone={remove.isPending || remove.isSuccess} />
        )}
      </div>
    </SidePanel>
  );
}

interface ActionsProps {
  readonly subscription: Subscription;
  readonly remove: ReturnType<typeof useChange>;
}

function Actions({ subscription, remove }: ActionsProps) {
  const { subscription_id: id, channel, name } = subscription;
  const [isAsking, setIsAsking] = useState(false);
  const test = useChange(() => sendTest(id));
  const failure = test.error ?? remove.error;
  return (
    <div className="flex flex-wrap gap-2">
      {channel !== "feed" && (
        <Button disabled={test.isPending} onClick={() => test.mutate()}>
          Send test message
        </Button>
      )}
      <Button onClick={() => setIsAsking(true)}>Delete…</Button>
      {failure !== null && (
        <p role="alert" className="w-full text-failed wrap-anywhere">
          {failure.message}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          confirmLabel="Delete subscription"
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>Pending messages will not be sent. The list of deliveries will be deleted too.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function useChange(change: () => Promise<unknown>, onDone?: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      onDone?.();
      await cache.invalidateQueries({ queryKey: subscriptionKeys.all });
    },
  });
}

interface DeliveriesProps {
  readonly subscription: Subscription;
  /** The subscription is deleted, or about to be: the page requests nothing more, because the response would be 404. */
  readonly isGone: boolean;
}

function Deliveries({ subscription: { subscription_id: id }, isGone }: DeliveriesProps) {
  const deliveries = useQuery({ ...deliveriesQuery(id, ""), enabled: !isGone });
  return (
    <QueryView query={deliveries}>
      {({ deliveries: all, total }) =>
        all.length === 0 ? (
          <p className="text-soft">Nothing has been sent yet.</p>
        ) : (
          <>
            <ul aria-label="Deliveries, newest first" className="space-y-2">
              {all.map((delivery) => (
                <DeliveryItem key={delivery.delivery_id} delivery={delivery} subscriptionId={id} />
              ))}
            </ul>
            {total !== null && total > all.length && (
              <p className="text-soft">
                The newest {numberText(all.length)} of {numberText(total)} messages.
              </p>
            )}
          </>
        )
      }
    </QueryView>
  );
}

function DeliveryItem({ delivery, subscriptionId }: { readonly delivery: Delivery; readonly subscriptionId: string }) {
  const { has } = useRights();
  const { delivery_id: id, trigger, run_id: runId, run_name: name, state, attempts, error } = delivery;
  const again = useChange(() => resend(subscriptionId, id));
  return (
    <li className="card px-3 py-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span>
          <b className={state === "failed" ? "text-failed" : ""}>{STATE_LABELS[state]}</b>
          <span className="text-soft">
            {" "}
            · {countText(attempts, "attempt")} · {formatDateTime(delivery.created_at)}
          </span>
        </span>
        {has("runner") && (
          <Button small disabled={again.isPending} onClick={() => again.mutate()}>
            Send again
          </Button>
        )}
      </div>
      <div className="wrap-anywhere">
        {REASON_LABELS[trigger]}
        {runId !== null && (
          <>
            {": "}
            <Link className="link" to={`/run/${runId}`}>
              {name ?? runId}
            </Link>
          </>
        )}
      </div>
      {error !== "" && <p className="text-failed wrap-anywhere">{error}</p>}
      {state === "pending" && delivery.next_attempt_at !== null && attempts > 0 && (
        <p className="text-soft">Next attempt {formatDateTime(delivery.next_attempt_at)}</p>
      )}
    </li>
  );
}
