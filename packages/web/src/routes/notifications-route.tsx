import { useQuery } from "@tanstack/react-query";
import { SUBSCRIPTION_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import type { Delivery, Subscription } from "@weft/shared/records/subscription-record.ts";
import type { ComponentProps } from "react";
import { api } from "../api/client.ts";
import { routeQuery, useChange } from "../api/route-query.ts";
import { useRights } from "../api/session-query.ts";
import { PanelList } from "../components/panel-list.tsx";
import {
  CHANNEL_LABELS,
  REASON_LABELS,
  STATE_LABELS,
  scopeText,
  triggersText,
} from "../features/notifications/subscription-texts.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { formatDateTime } from "../format/format-time.ts";
import { Button } from "../ui/button.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Refusal } from "../ui/form.tsx";
import { SidePanel } from "../ui/modal.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";
import { DeleteButton } from "../ui/delete-button.tsx";
import { NameLink, TextLink } from "../ui/text-link.tsx";

const SubscribeDialog = onDemand(() => import("../features/notifications/subscribe-dialog.tsx"));

const COLUMNS: readonly Column<Subscription>[] = [
  {
    label: "Subscription",
    bare: true,
    render: ({ subscription_id: id, name, channel, target }) => (
      <div>
        <NameLink to={`?subscription=${id}`}>{name}</NameLink>
        <span className="block text-soft wrap-anywhere">
          {CHANNEL_LABELS[channel]}: {target}
        </span>
      </div>
    ),
  },
  { label: "About", className: "wrap-anywhere", render: ({ scope }) => scopeText(scope) },
  { label: "When", render: triggersText },
  { label: "Owner", render: ({ owner }) => owner },
  { label: "Last delivery", render: (subscription) => <LastDelivery subscription={subscription} /> },
  { label: "Waiting", number: true, render: ({ pending }) => pending },
];

/** `/notifications?subscription=`: webhooks, mails and feeds. `?new=1&network=` opens the form of a new one. */
export default function NotificationsRoute() {
  const subscriptions = useQuery(routeQuery("GET /api/subscriptions"));
  const [isNew, setIsNew] = useSearchParam("new");
  return (
    <>
      <PageHeading title="Notifications" />
      <QueryView query={subscriptions}>
        {({ subscriptions: all, channels }) => (
          <>
            <PanelList
              caption="Subscriptions, newest first"
              columns={COLUMNS}
              rows={all}
              empty="No subscriptions yet. Weft can notify you by webhook, email or feed when runs end."
              idOf={({ subscription_id: id }) => id}
              param="subscription"
              renderPanel={(subscription, onClose) => (
                <DeliveryPanel key={subscription.subscription_id} subscription={subscription} onClose={onClose} />
              )}
              action={
                <Button look="primary" onClick={() => setIsNew("1")}>
                  New subscription…
                </Button>
              }
            />
            {isNew !== "" && <SubscribeDialog channels={channels} onClose={() => setIsNew("")} />}
          </>
        )}
      </QueryView>
    </>
  );
}

function LastDelivery({ subscription: { channel, last_delivery: last } }: { readonly subscription: Subscription }) {
  if (last === null)
    return <span className="text-soft">{channel === "feed" ? "read by feed readers" : "none yet"}</span>;
  return (
    <div>
      {STATE_LABELS[last.state]}, {last.state === "pending" && "tried "}
      {formatDateTime(last.at)}
      {last.error !== "" && <span className="block text-failed wrap-anywhere">{last.error}</span>}
    </div>
  );
}

interface DeliveryPanelProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** The messages to a subscription, with their actions. */
function DeliveryPanel({ subscription, onClose }: DeliveryPanelProps) {
  const { has } = useRights();
  const params = { subscription_id: subscription.subscription_id };
  const unsubscribe = () => api("DELETE /api/subscriptions/{subscription_id}", { params });
  const remove = useChange(SUBSCRIPTION_ROUTES, unsubscribe, onClose);
  return (
    <SidePanel title={subscription.name} onClose={onClose}>
      <div className="space-y-4">
        {has("runner") && <Actions subscription={subscription} remove={remove} />}
        {subscription.channel === "feed" ? (
          <p className="text-soft">Feed readers fetch the feed, so Weft sends nothing.</p>
        ) : (
          <Deliveries subscription={subscription} isGone={remove.isPending || remove.isSuccess} />
        )}
      </div>
    </SidePanel>
  );
}

interface ActionsProps {
  readonly subscription: Subscription;
  readonly remove: ComponentProps<typeof DeleteButton>["remove"];
}

function Actions({ subscription, remove }: ActionsProps) {
  const { subscription_id: id, channel, name } = subscription;
  const test = useChange(SUBSCRIPTION_ROUTES, () =>
    api("POST /api/subscriptions/{subscription_id}/test", { params: { subscription_id: id } }),
  );
  return (
    <div className="flex flex-wrap gap-2">
      {channel !== "feed" && (
        <Button disabled={test.isPending} onClick={() => test.mutate()}>
          Send test message
        </Button>
      )}
      <DeleteButton title={`Delete "${name}"?`} noun="subscription" remove={remove}>
        Pending messages will not be sent. The list of deliveries will be deleted too.
      </DeleteButton>
      <Refusal of={test.error} className="w-full" />
    </div>
  );
}

interface DeliveriesProps {
  readonly subscription: Subscription;
  /** True if the subscription is deleted or about to be, so that the page stops requesting it. */
  readonly isGone: boolean;
}

function Deliveries({ subscription: { subscription_id: id }, isGone }: DeliveriesProps) {
  const deliveries = useQuery({
    ...routeQuery("GET /api/subscriptions/{subscription_id}/deliveries", {
      params: { subscription_id: id },
      query: { page_size: 50 },
    }),
    enabled: !isGone,
  });
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

function Occasion({ trigger, run_id: runId, run_name: name }: Delivery) {
  return (
    <div className="wrap-anywhere">
      {REASON_LABELS[trigger]}
      {runId !== null && (
        <>
          {": "}
          <TextLink to={`/run/${runId}`}>{name ?? runId}</TextLink>
        </>
      )}
    </div>
  );
}

function DeliveryItem({ delivery, subscriptionId }: { readonly delivery: Delivery; readonly subscriptionId: string }) {
  const { has } = useRights();
  const { delivery_id: id, state, attempts, error } = delivery;
  const params = { subscription_id: subscriptionId, delivery_id: id };
  const again = useChange(SUBSCRIPTION_ROUTES, () =>
    api("POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend", { params }),
  );
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
      <Occasion {...delivery} />
      {error !== "" && <p className="text-failed wrap-anywhere">{error}</p>}
      {state === "pending" && delivery.next_attempt_at !== null && attempts > 0 && (
        <p className="text-soft">Next attempt {formatDateTime(delivery.next_attempt_at)}</p>
      )}
    </li>
  );
}
