import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { CwlFieldRecord, CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import { Fragment, useState } from "react";
import { isFileValue } from "../../../format/value-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Input, Select, TextArea } from "../../../ui/field.tsx";
import { ChosenFile, FileChooser, FormatSelect } from "../files/file-chooser.tsx";
import { parseNumber } from "../model/check-value.ts";
import { acceptsNull, choicesOf } from "../model/cwl-type-facts.ts";
import { asFormat } from "../model/file-format.ts";
import { type CwlFieldProps, FieldFrame, type FieldProps, type RenderField, SettableFrame } from "./field-frame.tsx";
import { FileListField } from "./file-list-field.tsx";
import { useFieldValue, useIsSecret } from "./form-context.ts";
import { ArrayField, ChoiceList, markDefault, UnionField } from "./nested-fields.tsx";

/** The form element for a value of any CWL type. "Not set" is the absence of a value, whatever the type. */
export function CwlField({ type, ...field }: CwlFieldProps) {
  const choices = choicesOf(type);
  const [only, ...others] = choices;
  if (only === undefined) return null;
  if (others.length > 0)
    return <UnionField renderField={renderField} choices={choices} optional={acceptsNull(type)} {...field} />;
  switch (only.kind) {
    case "boolean":
      return <BooleanField {...field} />;
    case "int":
    case "long":
    case "float":
    case "double":
      return <NumberField whole={only.kind === "int" || only.kind === "long"} {...field} />;
    case "string":
      return <TextField {...field} />;
    case "File":
    case "Directory":
      return <FileField kind={only.kind} {...field} />;
    case "enum":
      return <EnumField symbols={only.symbols} {...field} />;
    case "array":
      return isFile(only.items) ? (
        <FileListField kind={only.items.kind} {...field} />
      ) : (
        <ArrayField renderField={renderField} items={only.items} {...field} />
      );
    case "record":
      return <RecordField renderField={renderField} fields={only.fields} {...field} />;
    case "Any":
      return <AnyField {...field} />;
    case "null":
    case "union":
      return null; // choicesOf leaves neither
  }
}

function renderField(props: CwlFieldProps) {
  return <CwlField {...props} />;
}

function isFile(type: CwlTypeRecord): type is { kind: "File" | "Directory" } {
  return type.kind === "File" || type.kind === "Directory";
}

/** A value of any type, written as JSON. */
function AnyField(field: FieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState("");
  const change = (text: string): void => {
    setDraft(text);
    try {
      setValue(text.trim() === "" ? undefined : parseExactJson(text));
      setFault("");
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <FieldFrame deep {...field}>
      {(aria) => (
        <>
          <TextArea
            code
            {...aria}
            rows={3}
            value={draft ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
            placeholder='Any JSON: "text", 3, [1, 2], {"key": true}'
            onType={change}
            onBlur={() => fault === "" && setDraft(undefined)}
          />
          {fault !== "" && <p className="text-failed">{fault}</p>}
        </>
      )}
    </FieldFrame>
  );
}

/** Yes or no; also "not set" if the value is optional and has no default. */
function BooleanField(field: FieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const unset = field.required || field.defaultText !== undefined ? [] : [{ id: "", label: "Not set" }];
  const answers = [
    { id: "true", label: "Yes" },
    { id: "false", label: "No" },
  ];
  return (
    <FieldFrame group {...field}>
      {(aria) => (
        <ChoiceList
          name={aria.id}
          choices={[...unset, ...answers.map((answer) => markDefault(answer, field.defaultText))]}
          chosen={typeof value === "boolean" ? String(value) : (field.defaultText ?? "")}
          onChoose={(id) => setValue(id === "" ? undefined : id === "true")}
        />
      )}
    </FieldFrame>
  );
}

const RADIO_UP_TO = 5;

/** One of several symbols: radio buttons up to five, otherwise a drop-down list. */
function EnumField({ symbols, ...field }: FieldProps & { readonly symbols: readonly string[] }) {
  const [value, setValue] = useFieldValue(field.path);
  const chosen = typeof value === "string" ? value : (field.defaultText ?? "");
  const choose = (symbol: string): void => setValue(symbol === "" ? undefined : symbol);
  const unset = field.required || field.defaultText !== undefined ? [] : [{ id: "", label: "Not set" }];
  const choices = symbols.map((symbol) => markDefault({ id: symbol, label: symbol }, field.defaultText));
  if (symbols.length <= RADIO_UP_TO) {
    return (
      <FieldFrame group {...field}>
        {(aria) => <ChoiceList name={aria.id} choices={[...unset, ...choices]} chosen={chosen} onChoose={choose} />}
      </FieldFrame>
    );
  }
  return (
    <FieldFrame {...field}>
      {(aria) => (
        <Select
          className="max-w-xl"
          {...aria}
          value={chosen}
          options={[
            ...(chosen === "" ? [{ id: "", label: field.required ? "Choose…" : "Not set" }] : unset),
            ...choices,
          ]}
          onChoose={choose}
        />
      )}
    </FieldFrame>
  );
}

/** A number as text, so that `1e-3` can be typed. Invalid text stays as typed and is refused on submission. */
function NumberField({ whole, ...field }: FieldProps & { readonly whole: boolean }) {
  const [value, setValue] = useFieldValue(field.path);
  const [typed, setTyped] = useState("");
  const shown = value === undefined || value === null ? "" : parseNumber(typed) === value ? typed : String(value);
  const change = (text: string): void => {
    setTyped(text);
    setValue(text.trim() === "" ? undefined : parseNumber(text));
  };
  return (
    <FieldFrame {...field}>
      {(aria) => (
        <Input
          className="max-w-60 tabular-nums"
          {...aria}
          inputMode={whole ? "numeric" : "decimal"}
          autoComplete="off"
          value={shown}
          placeholder={field.defaultText ?? ""}
          onType={change}
        />
      )}
    </FieldFrame>
  );
}

/** A text field; multi-line if the value has several lines. Clearing an optional one removes the value. */
function TextField(field: FieldProps) {
  const [value, setValue] = useFieldValue(field.path);
  const isSecret = useIsSecret();
  const text = typeof value === "string" ? value : "";
  const change = (next: string): void => setValue(next === "" && !field.required ? undefined : next);
  return (
    <FieldFrame {...field}>
      {(aria) =>
        // A secret may be a key of several lines, which a password field would join.
        isSecret || text.includes("\n") ? (
          <TextArea
            {...aria}
            className={isSecret ? "max-w-xl [-webkit-text-security:disc]" : ""}
            rows={isSecret ? 1 : 4}
            autoComplete={isSecret ? "off" : undefined}
            spellCheck={isSecret ? false : undefined}
            value={text}
            onType={change}
          />
        ) : (
          <Input className="max-w-xl" {...aria} value={text} placeholder={field.defaultText ?? ""} onType={change} />
        )
      }
    </FieldFrame>
  );
}

/** One file or folder. */
function FileField({ kind, formats, ...field }: FieldProps & { readonly kind: "File" | "Directory" }) {
  const [value, setValue] = useFieldValue(field.path);
  return (
    <FieldFrame deep {...field}>
      {(aria) =>
        isFileValue(value) ? (
          <ChosenFile file={value}>
            <FormatSelect file={value} formats={formats} onChange={setValue} />
            <Button
              look="quiet"
              small
              {...aria}
              aria-label={`Change the ${kind === "File" ? "file" : "folder"} of ${field.label}`}
              onClick={() => setValue(undefined)}
            >
              Change
            </Button>
          </ChosenFile>
        ) : (
          <FileChooser
            kind={kind}
            label={field.label}
            multiple={false}
            formats={formats}
            aria={aria}
            onChoose={(file) => setValue(asFormat(file, formats))}
          />
        )
      }
    </FieldFrame>
  );
}

interface RecordFieldProps extends FieldProps {
  readonly fields: readonly CwlFieldRecord[];
  readonly renderField: RenderField;
}

const EMPTY_RECORD = {};

/** Records with more fields than this start collapsed. */
const SHOWN_AT_ONCE = 6;

/** The fields of a CWL record. */
function RecordField({ fields, ...field }: RecordFieldProps) {
  return (
    <SettableFrame start={EMPTY_RECORD} {...field}>
      {fields.length <= SHOWN_AT_ONCE ? (
        <RecordParts fields={fields} {...field} />
      ) : (
        <details>
          <summary className="mb-2 w-fit cursor-pointer text-accent">{fields.length} fields</summary>
          <RecordParts fields={fields} {...field} />
        </details>
      )}
    </SettableFrame>
  );
}

function RecordParts({ fields, renderField, path }: Pick<RecordFieldProps, "fields" | "renderField" | "path">) {
  return (
    <div className="space-y-4 rounded-lg border border-line p-3">
      {fields.map((part) => (
        <Fragment key={part.name}>
          {renderField({
            path: [...path, part.name],
            type: part.type,
            label: part.label ?? part.name,
            doc: part.doc,
            required: !acceptsNull(part.type),
          })}
        </Fragment>
      ))}
    </div>
  );
}
