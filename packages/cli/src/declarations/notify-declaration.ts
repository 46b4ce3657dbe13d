import { Flag } from "../settings/flag.ts";
import { JSON_OUTPUT, STATE } from "../settings/flags.ts";
import { memberWithId, type Declaration } from "./declaration.ts";

const load = () => import("../commands/notify-command.ts");

const ONE = {
  command: "notify",
  argument: { "<id>": "ID of the subscription" },
  id: "4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
};

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
      load: async () => (await load()).listSubscriptions,
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
          "list",
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
      load: async () => (await load()).addSubscription,
    },
    ...[
      {
        name: "remove",
        summary: "delete a subscription",
        description: "Deletes a subscription and its deliveries.",
        load: async () => (await load()).removeSubscription,
      },
      {
        name: "test",
        summary: "send a test message",
        description: "Sends a test message to a webhook or email address.",
        load: async () => (await load()).testSubscription,
      },
    ].map((member) => memberWithId(member, ONE)),
    {
      name: "deliveries",
      summary: "list messages",
      description: "Lists the newest deliveries of a subscription: ID, state, attempts, trigger, run and error.",
      arguments: ONE.argument,
      flags: [JSON_OUTPUT],
      examples: [`weft notify deliveries ${ONE.id}`, `weft notify deliveries ${ONE.id} --json`],
      load: async () => (await load()).listDeliveries,
    },
    memberWithId(
      {
        name: "resend",
        summary: "send a message again",
        description: "Sends a message again, even if it was delivered.",
        load: async () => (await load()).resendDelivery,
      },
      { command: "notify", argument: { "<delivery>": "ID of the delivery" }, id: `${ONE.id}.42` },
    ),
  ],
};
