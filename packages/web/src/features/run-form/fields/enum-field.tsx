import { ChoiceList, markDefault } from "./choice-list.tsx";
import { FieldFrame, type FieldProps } from "./field-frame.tsx";
import { useFieldValue } from "./form-context.ts";

const RADIO_UP_TO = 5;

/** One of several symbols: radio buttons up to five, otherwise a drop-down list. */
export function EnumField({ symbols, ...field }: FieldProps & { readonly symbols: readonly string[] }) {
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
        <select {...aria} className="input max-w-xl" value={chosen} onChange={(event) => choose(event.target.value)}>
          {chosen === "" && <option value="">{field.required ? "Choose…" : "Not set"}</option>}
          {[...(chosen === "" ? [] : unset), ...choices].map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
