import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Delivery, Subscription } from "@weft/shared/records/subscription-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { useRights } from "../../api/session-query.ts";
import { deliveriesQuery, resend, sendTest, subscriptionKeys, unsubscribe } from "../../api/subscription-queries.ts";
import { countText, numberText } from "../../format/count-text.ts";
import { formatDateTime } from "../../format/format-time.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SidePanel } from "../../ui/side-panel.tsx";
import { REASON_LABELS, STATE_LABELS } from "./subscription-texts.ts";

const ConfirmDialog = onDemand(() => import("../../ui/confirm-dialog.tsx"), null);

interface DeliveryPanelProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** The messages to a subscription, with their actions. */
export function DeliveryPanel({ subscription, onClose }: DeliveryPanelProps) {
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
        <button type="button" className="btn" disabled={test.isPending} onClick={() => test.mutate()}>
          Send test message
        </button>
      )}
      <button type="button" className="btn" onClick={() => setIsAsking(true)}>
        Delete…
      </button>
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
  /** Deleted, or about to be: nothing more is requested, for the answer would be 404. */
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
          <button type="button" className="btn btn-small" disabled={again.isPending} onClick={() => again.mutate()}>
            Send again
          </button>
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
