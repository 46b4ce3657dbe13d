import { useQuery } from "@tanstack/react-query";
import type { Subscription } from "@weft/shared/records/subscription-record.ts";
import { Link } from "react-router-dom";
import { useRights } from "../../api/session-query.ts";
import { subscriptionsQuery } from "../../api/subscription-queries.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { CHANNEL_LABELS, scopeText, STATE_LABELS, triggersText } from "./subscription-texts.ts";

const SubscribeDialog = onDemand(() => import("./subscribe-dialog.tsx"), null);

const COLUMNS: readonly Column[] = [
  { label: "Subscription" },
  { label: "About" },
  { label: "When" },
  { label: "Owner" },
  { label: "Last delivery" },
  { label: "Waiting", number: true },
];

/** `?subscription=` shows its deliveries; `?new=1&network=` opens the form. */
export function SubscriptionList() {
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
              <button type="button" className="btn btn-primary" onClick={() => setIsNew("1")}>
                New subscription…
              </button>
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
