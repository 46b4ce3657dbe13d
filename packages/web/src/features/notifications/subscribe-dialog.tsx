import { useQuery } from "@tanstack/react-query";
import { SUBSCRIPTION_ROUTES } from "@weft/shared/routes/stale-routes.ts";
import type { CreatedSubscription, CreateSubscription, Scope } from "@weft/shared/records/subscription-record.ts";
import { CHANNELS, TRIGGERS, type Channel } from "@weft/shared/records/subscription-names.ts";
import { useState } from "react";
import { networkListQuery } from "../../api/queries/catalog-queries.ts";
import { useRights } from "../../api/session-query.ts";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/route-query.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { CheckField, Field, Input, RadioField, Select } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Modal } from "../../ui/modal.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { CHANNEL_LABELS, TRIGGER_LABELS } from "./subscription-texts.ts";

interface SubscribeDialogProps {
  /** The channels of the server. */
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}

/** Makes a subscription, then shows its secret once. */
export default function SubscribeDialog({ channels, onClose }: SubscribeDialogProps) {
  const [made, setMade] = useState<CreatedSubscription>();
  return (
    <Modal title={made === undefined ? "New subscription" : "Subscribed"} onClose={onClose} isForm={made === undefined}>
      {made === undefined ? (
        <SubscribeForm channels={channels} onMade={setMade} />
      ) : (
        <Made made={made} onClose={onClose} />
      )}
    </Modal>
  );
}

function Made({ made, onClose }: { readonly made: CreatedSubscription; readonly onClose: () => void }) {
  const shown = made.secret ?? made.feed_url;
  return (
    <div className="space-y-4">
      {shown === null ? (
        <p>Messages go to {made.target}.</p>
      ) : (
        <>
          <p>
            {made.secret === null
              ? "Give this address to your feed reader. It needs no login, so keep it to yourself."
              : "The receiver verifies messages with this secret (Standard Webhooks)."}{" "}
            Weft shows it only once.
          </p>
          <p className="code card p-3 wrap-anywhere select-all">{shown}</p>
          <CopyButton text={shown} small={false} />
        </>
      )}
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}

interface SubscribeFormProps {
  readonly channels: readonly Channel[];
  readonly onMade: (made: CreatedSubscription) => void;
}

function SubscribeForm({ channels, onMade }: SubscribeFormProps) {
  const { session } = useRights();
  const [channel, setChannel] = useState<Channel>(channels[0] ?? "feed");
  const [problem, setProblem] = useState("");
  const subscribe = (body: CreateSubscription) => api("POST /api/subscriptions", { body });
  const save = useChange(SUBSCRIPTION_ROUTES, subscribe, onMade);
  const submit = (form: FormData): void => {
    const body = readBody(form, channel, session?.principal ?? "");
    setProblem(body === undefined ? "Choose at least one event." : "");
    if (body !== undefined) save.mutate(body);
  };
  return (
    <Form
      submitLabel="Subscribe"
      pendingLabel="Subscribing…"
      isPending={save.isPending}
      refusal={problem || save.error}
      onSubmit={submit}
    >
      <RadioField
        legend="Notify me by"
        isInline
        options={CHANNELS.map((id) => channelOption(id, channels.includes(id)))}
        chosen={channel}
        onChoose={setChannel}
      />
      <ScopeField channel={channel} />
      <TriggerFields />
      <TargetField channel={channel} />
    </Form>
  );
}

/** The body of the request; undefined without a trigger. The browser and the server check all other fields. */
function readBody(form: FormData, channel: Channel, principal: string): CreateSubscription | undefined {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const triggers = TRIGGERS.filter((trigger) => form.has(trigger));
  if (triggers.length === 0) return undefined;
  const scope: Scope = text("network") === "" ? { owner: principal } : { network: text("network") };
  const head = { name: text("name"), scope, triggers };
  if (channel === "webhook") return { ...head, channel, url: text("target") };
  return channel === "email" ? { ...head, channel, email: text("target") } : { ...head, channel };
}

function channelOption(id: Channel, isOn: boolean) {
  const label = CHANNEL_LABELS[id];
  if (isOn) return { id, label };
  const off = <span className="text-soft">(off on this server)</span>;
  return {
    id,
    label: (
      <>
        {label} {off}
      </>
    ),
    isOff: true,
  };
}

function ScopeField({ channel }: { readonly channel: Channel }) {
  const [wanted] = useSearchParam("network");
  const { data } = useQuery(networkListQuery(""));
  const networks = data?.networks ?? [];
  return (
    <Field label="About">
      <Select
        name="network"
        defaultValue={wanted}
        key={`${wanted} ${networks.length}`}
        none={channel === "feed" ? undefined : "My runs"}
        options={networks.map(({ id, label = id }) => ({ id, label: `Network ${label}` }))}
      />
    </Field>
  );
}

function TriggerFields() {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">When</legend>
      <div className="flex flex-wrap gap-4">
        {TRIGGERS.map((trigger) => (
          <CheckField key={trigger} name={trigger} defaultChecked={trigger === "failure"}>
            {TRIGGER_LABELS[trigger]}
          </CheckField>
        ))}
      </div>
    </fieldset>
  );
}

function TargetField({ channel }: { readonly channel: Channel }) {
  return (
    <>
      {channel !== "feed" && (
        <Field label={channel === "webhook" ? "URL" : "Address"}>
          <Input
            name="target"
            type={channel === "webhook" ? "url" : "email"}
            placeholder={channel === "webhook" ? "https://bot.lab.example/weft" : "ann@lab.example"}
            maxLength={2000}
            required
            autoComplete="off"
          />
        </Field>
      )}
      <Field label="Name">
        <Input name="name" maxLength={100} required autoComplete="off" />
      </Field>
    </>
  );
}
