import { Flag } from "../settings/flag.ts";
import { JSON_OUTPUT, STATE } from "../settings/flags.ts";
import type { Declaration } from "./declaration.ts";

const loadNotify = () => import("../commands/notify-command.ts");

/** The commands send requests to the server that uses the state folder. */
export const NOTIFY: Declaration = {
  name: "notify",
  summary: "get webhooks, emails or feeds about runs",
  description: "Manages subscriptions to runs. The server must be running.",
  flags: [STATE],
  examples: ["weft notify list", "weft notify add --network imaging-cohort --feed"],
  documentation: "docs/how-to/get-notified.md",
  commands: [
    {
      name: "list",
      summary: "list subscriptions",
      description: "Lists subscriptions: ID, channel, subject, triggers, pending deliveries, target and name.",
      flags: [JSON_OUTPUT],
      examples: ["weft notify list", "weft notify list --json"],
      load: async () => (await loadNotify()).listSubscriptions,
    },
    {
      name: "add",
      summary: "subscribe",
      description: "Creates a subscription and prints the webhook secret or feed address once.",
      flags: [
        new Flag("--run <ID>", "notify about this run"),
        new Flag("--network <ID>", "notify about runs of this network"),
        new Flag("--owner <NAME>", "notify about runs of this person"),
        new Flag(
          "--on <TRIGGER,…>",
          "failure (default; includes runs that Weft pauses after crashes), success, review-needed or automation-stopped",
          {
            isList: true,
          },
        ),
        new Flag("--webhook <URL>", "send signed messages to this URL"),
        new Flag("--email <ADDRESS>", "send emails to this address"),
        new Flag("--feed", "create an Atom feed of a network"),
        new Flag("--name <NAME>", "name of the subscription"),
        JSON_OUTPUT,
      ],
      examples: [
        "weft notify add --network imaging-cohort --on failure,success --email ann@lab.example",
        "weft notify add --owner local --webhook https://bot.lab.example/weft",
      ],
      load: async () => (await loadNotify()).addSubscription,
    },
    {
      name: "remove",
      summary: "delete a subscription",
      description: "Deletes a subscription and its deliveries.",
      arguments: { "<id>": "ID of the subscription" },
      examples: [
        "weft notify remove 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
        "weft notify remove --state /srv/weft 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
      ],
      load: async () => (await loadNotify()).removeSubscription,
    },
    {
      name: "test",
      summary: "send a test message",
      description: "Sends a test message to a webhook or email address.",
      arguments: { "<id>": "ID of the subscription" },
      examples: [
        "weft notify test 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
        "weft notify test --state /srv/weft 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
      ],
      load: async () => (await loadNotify()).testSubscription,
    },
    {
      name: "deliveries",
      summary: "list messages",
      description: "Lists the newest deliveries of a subscription: ID, state, attempts, trigger, run and error.",
      arguments: { "<id>": "ID of the subscription" },
      flags: [JSON_OUTPUT],
      examples: [
        "weft notify deliveries 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
        "weft notify deliveries 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11 --json",
      ],
      load: async () => (await loadNotify()).listDeliveries,
    },
    {
      name: "resend",
      summary: "send a message again",
      description: "Sends a message again, even if it was delivered.",
      arguments: { "<delivery>": "ID of the delivery" },
      examples: [
        "weft notify resend 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11.42",
        "weft notify resend --state /srv/weft 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11.42",
      ],
      load: async () => (await loadNotify()).resendDelivery,
    },
  ],
};
