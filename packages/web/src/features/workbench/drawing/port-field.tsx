import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { useId, useRef, useState } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { CheckField, Input, Select, Field } from "../../../ui/field.tsx";
import type {
  LinkMergeChoice,
  LinkTarget,
  NetworkGesture,
  NodeView,
  PickValueChoice,
  PortView,
  SourceChoice,
} from "../language/plan-action.ts";
import { OtherText, trimmed, useTyped } from "./note-field.tsx";
import type { DrawingActions } from "./use-drawing-actions.ts";

interface PortFieldProps {
  readonly port: PortView;
  readonly target: LinkTarget;
  /** The step; undefined for an output of the network. */
  readonly step: Extract<NodeView, { readonly kind: "step" }> | undefined;
  readonly actions: DrawingActions;
}

/** The sources of one input. Offers only compatible sources, with the settings that they require. */
export function PortField(props: PortFieldProps) {
  const { port, step } = props;
  const id = useId();
  const isMissing = port.isRequired && port.sources.length === 0 && port.value === undefined && !port.isComputed;
  return (
    <fieldset aria-labelledby={id} className="space-y-1.5 border-t border-line pt-2">
      <p id={id} className="flex flex-wrap items-baseline gap-x-2">
        <span className="code">{step === undefined ? "Value" : port.name}</span>
        <span className="text-small text-soft">{port.typeText}</span>
        {isMissing && <span className="text-small text-failed">not connected</span>}
        {port.isComputed && <span className="text-small text-soft">computed by an expression in the text</span>}
      </p>
      <Sources {...props} />
      <SourceSelect {...props} />
      {port.sources.length > 1 && <Combination {...props} />}
      {step !== undefined && port.sources.length > 0 && <ScatterBox {...props} />}
      {step !== undefined && takesValue(port) && <ValueField {...props} step={step} />}
    </fieldset>
  );
}

/** True for inputs that can have a fixed value: not files, and not inputs that an expression computes. */
function takesValue({ sources, isComputed, typeText }: PortView): boolean {
  return sources.length === 0 && !isComputed && !/File|Directory|record/.test(typeText);
}

function Sources({ port, target, actions }: PortFieldProps) {
  return port.sources.map((source) => (
    <p key={source} className="flex items-center gap-2">
      <span className="code rounded bg-accent-soft px-2 py-0.5 wrap-anywhere">{source}</span>
      <IconButton
        label={`Disconnect ${source} from ${port.name}`}
        icon="close"
        look="quiet"
        small
        iconClass="size-3.5"
        onClick={() => actions.change({ kind: "unlink", target, source })}
      />
    </p>
  ));
}

const NEW_INPUT = "+";

function SourceSelect({ port, target, step, actions }: PortFieldProps) {
  const { sources } = port;
  const choices = port.choices.filter(({ source }) => !sources.includes(source));
  const isFirst = sources.length === 0;
  // Each key in a closed list selects an option, so the choice waits for Enter or for leaving the list.
  const [picked, setPicked] = useState("");
  const isByKey = useRef(false);
  const connect = (value: string): void => {
    setPicked("");
    if (value === NEW_INPUT && step !== undefined)
      return actions.act({ kind: "input-for", step: step.name, input: port.name });
    const choice = choices.find(({ source }) => source === value);
    if (choice !== undefined) actions.change(linkOf(choice, port, target));
  };
  if (choices.length === 0 && (step === undefined || !isFirst)) return null;
  return (
    <Select
      aria-label={isFirst ? `Connect ${port.name}` : `Add another source to ${port.name}`}
      value={picked}
      onPointerDown={() => (isByKey.current = false)}
      onKeyDown={({ key }) => {
        if (key === "Enter") connect(picked);
        else isByKey.current = true;
      }}
      onBlur={() => connect(picked)}
      onChange={({ target: { value } }) => (isByKey.current ? setPicked(value) : connect(value))}
    >
      <option value="">{isFirst ? "Connect to…" : "Add another source…"}</option>
      {step !== undefined && isFirst && <option value={NEW_INPUT}>A new input of the network</option>}
      {(["direct", "check", "scatter", "list"] as const).map((fit) => (
        <SourceGroup key={fit} label={FIT_TEXTS[fit]} choices={choices.filter((choice) => choice.fit === fit)} />
      ))}
    </Select>
  );
}

function SourceGroup({ label, choices }: { readonly label: string; readonly choices: readonly SourceChoice[] }) {
  if (choices.length === 0) return null;
  return (
    <optgroup label={label}>
      {choices.map(({ source, typeText }) => (
        <option key={source} value={source}>
          {source} ({typeText})
        </option>
      ))}
    </optgroup>
  );
}

const MERGES: readonly { readonly id: LinkMergeChoice; readonly label: string }[] = [
  { id: "merge_nested", label: "A list of them" },
  { id: "merge_flattened", label: "Join their lists into one" },
];

const PICKS: readonly { readonly id: PickValueChoice; readonly label: string }[] = [
  { id: "first_non_null", label: "Use the first that is not missing" },
  { id: "the_only_non_null", label: "Use the only one that is not missing" },
  { id: "all_non_null", label: "Leave them out of the list" },
];

function combinationOf(port: PortView) {
  const linkMerge = MERGES.find(({ id }) => id === port.linkMerge)?.id;
  const pickValue = PICKS.find(({ id }) => id === port.pickValue)?.id;
  return { linkMerge, pickValue };
}

/** The field for the way in which several sources become one value. */
function Combination({ port, target, actions }: PortFieldProps) {
  const { sources } = port;
  const { linkMerge: merge = "merge_nested", pickValue: pick } = combinationOf(port);
  const change = (linkMerge: LinkMergeChoice, pickValue: PickValueChoice | undefined): void =>
    actions.change({ kind: "link", target, sources, linkMerge, pickValue });
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <Field label="Several sources" isSmall>
        <Select value={merge} options={MERGES} onChoose={(chosen) => change(chosen, pick)} />
      </Field>
      <Field label="Missing values" isSmall>
        <Select<PickValueChoice | "">
          value={pick ?? ""}
          none="Keep them"
          options={PICKS}
          onChoose={(chosen) => change(merge, chosen || undefined)}
        />
      </Field>
    </div>
  );
}

function ScatterBox({ port, step, actions }: PortFieldProps) {
  if (step === undefined) return null;
  const others = step.ports
    .filter(({ isScattered, name }) => isScattered && name !== port.name)
    .map(({ name }) => name);
  const toggle = (isOn: boolean): void =>
    actions.change({
      kind: "scatter",
      step: step.name,
      inputs: isOn ? [...others, port.name] : others,
      method: step.scatterMethod,
    });
  return (
    <CheckField checked={port.isScattered} onCheck={toggle}>
      Run once for each item
    </CheckField>
  );
}

/** A value that is the same in every run. */
function ValueField({ port, step, actions }: PortFieldProps & { readonly step: { readonly name: string } }) {
  const shown = port.value === undefined ? "" : textOf(port.value);
  const { field, theirs } = useTyped(shown, trimmed, (text, isLate) => {
    const value = text === "" ? undefined : valueOf(text, port.typeText);
    return actions.type({ kind: "value", step: step.name, input: port.name, value }, isLate);
  });
  return (
    <>
      <Field label="or a fixed value" isSmall>
        <Input
          code
          {...field}
          aria-label={`Fixed value of ${port.name}`}
          onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        />
      </Field>
      <OtherText of={theirs} />
    </>
  );
}

/** A JSON value as text; a string without its quotation marks. */
function textOf(json: string): string {
  const value = parseExactJson(json);
  return typeof value === "string" ? value : json;
}

type FixedValue = Extract<NetworkGesture, { readonly kind: "value" }>["value"];

/** Parses typed text as JSON, such as `3` or `["a"]`, unless the input takes a string. */
function valueOf(text: string, typeText: string): FixedValue {
  if (/^string\??$/.test(typeText)) return text;
  try {
    return parseExactJson(text) as FixedValue; // JSON has no other values
  } catch {
    // Not JSON: a word of an enum, or a mistake that the problem list explains.
    return text;
  }
}

/** Descriptions of the ways in which a source fits. */
const FIT_TEXTS: { readonly [fit in SourceChoice["fit"]]: string } = {
  direct: "Fits",
  check: "Fits some values; the run checks them",
  scatter: "Run once for each item of",
  list: "As a list of one",
};

/** The gesture that adds a source to a port. */
function linkOf({ source, fit }: SourceChoice, port: PortView, target: LinkTarget) {
  const all = [...port.sources, source];
  const isOne = all.length === 1;
  return {
    kind: "link",
    target,
    sources: all,
    ...combinationOf(port),
    ...(isOne && fit === "scatter" ? { scatters: true } : {}),
    ...(isOne && fit === "list" ? { linkMerge: "merge_nested" as const } : {}),
  } as const;
}
