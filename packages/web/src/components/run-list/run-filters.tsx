import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { Button } from "../../ui/button.tsx";
import { Select, Field } from "../../ui/field.tsx";
import { TextFilter } from "../../ui/search-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { Toolbar } from "../../ui/toolbar.tsx";

const PARTS = ["tag", "owner", "archived", "from", "to"] as const;

/** Less common filters, behind a button until one of them is set. */
export function RunFilters({ children }: { readonly children?: ReactNode }) {
  const [params] = useSearchParams();
  const set = PARTS.filter((part) => (params.get(part) ?? "") !== "").length;
  const [isOpen, setOpen] = useState(set > 0);
  const isShown = isOpen || set > 0;
  return (
    <>
      <Toolbar className="mb-3">
        {children}
        <Button aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
          <Icon name="filter" className="size-3.5" /> Filters{set > 0 && ` (${set})`}
        </Button>
      </Toolbar>
      {isShown && (
        <div role="group" aria-label="More filters" className="mb-3 grid grid-cols-2 gap-3 md:flex">
          <TextFilter className="md:w-44" name="tag" label="Tag" placeholder="name or name:value" />
          <TextFilter className="md:w-44" name="owner" label="Owner" />
          <ArchivedFilter />
          <TextFilter className="md:w-44" name="from" label="Created from" type="date" />
          <TextFilter className="md:w-44" name="to" label="Created to" type="date" />
        </div>
      )}
    </>
  );
}

const ARCHIVED = [
  { id: "only", label: "Only archived" },
  { id: "all", label: "Shown with all others" },
];

function ArchivedFilter() {
  const [value, setValue] = useSearchParam("archived");
  return (
    <Field label="Archived runs" isSmall className="max-md:w-full">
      <Select className="md:w-44" value={value} none="Hidden" options={ARCHIVED} onChoose={setValue} />
    </Field>
  );
}
