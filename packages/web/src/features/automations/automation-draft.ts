import type { CreateAutomation } from "@weft/shared/records/automation-record.ts";
import type { SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import type { FormStore, InputValues } from "../../components/run-form/model/form-store.ts";
import { placesOf } from "../../components/run-form/run-target.ts";

type Trigger = CreateAutomation["trigger"];

/** The entries that depend on the network, apart from its inputs. */
interface NetworkEntries {
  /** ID of the saved query; "" for none. */
  readonly query: string;
  /** Output destinations by output id, as typed. */
  readonly places: Readonly<Record<string, string>>;
}

/** The entries of the form for a new automation, as typed. */
export interface AutomationDraft extends NetworkEntries {
  readonly name: string;
  /** ID of the network; "" for none. */
  readonly network: string;
  readonly trigger: Trigger["kind"];
  readonly cron: string;
  readonly zone: string;
  /** The network whose runs it waits for. */
  readonly after: string;
  readonly mode: NonNullable<CreateAutomation["mode"]>;
  readonly settle: string;
  readonly limit: string;
  /** The entries for networks that were chosen before, by ID. */
  readonly others: Readonly<Record<string, NetworkEntries & { readonly values: InputValues }>>;
}

export const EMPTY_DRAFT: AutomationDraft = {
  name: "",
  network: "",
  trigger: "samples",
  cron: "",
  zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  after: "",
  mode: "new",
  settle: "60",
  limit: "24",
  query: "",
  places: {},
  others: {},
};

/** Chooses another network, and keeps the entries for the network before in case the user returns to it. */
export function chooseNetwork(store: FormStore<AutomationDraft>, network: string): void {
  const { network: before, query, places, others, ...draft } = store.settings();
  const known = { ...others, [before]: { query, places, values: store.values() } };
  const earlier = Object.hasOwn(known, network) ? known[network] : undefined;
  const { values, ...entries } = earlier ?? { query: "", places: {}, values: {} };
  store.setSettings({ ...draft, ...entries, network, others: known });
  store.replaceValues(values);
}

/** The inputs of a network that the query does not fill. The log would keep a secret, so an automation has none. */
export function inputsToFill(inputs: readonly InputRecord[], query: SavedDatasetQuery | undefined) {
  const filled = new Set(query?.query.columns.map(({ name }) => name));
  return inputs.filter(({ id, secret }) => secret !== true && !filled.has(id));
}

interface Filled {
  readonly query: SavedDatasetQuery | undefined;
  /** The inputs that the form asks for. */
  readonly inputs: readonly InputRecord[];
  readonly values: InputValues;
}

/** The body of a request. */
export function automationBody(draft: AutomationDraft, { query, inputs, values }: Filled): CreateAutomation {
  const { name, network, mode, settle, limit } = draft;
  return {
    name: name.trim(),
    network,
    trigger: triggerOf(draft),
    ...(query === undefined ? {} : { dataset: { query_id: query.query_id } }),
    inputs: Object.fromEntries(inputs.flatMap(({ id }) => (values[id] === undefined ? [] : [[id, values[id]]]))),
    ...placesOf(draft),
    mode,
    settle_s: Number(settle),
    max_runs_per_day: Number(limit),
  };
}

function triggerOf({ trigger, cron, zone, after }: AutomationDraft): Trigger {
  if (trigger === "schedule") return { kind: trigger, cron: cron.trim(), time_zone: zone.trim() };
  return trigger === "run-ended" ? { kind: trigger, network: after } : { kind: trigger };
}
