import { useState, type FormEvent } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { Button, IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { usePersisted } from "../../ui/persisted.ts";
import { savedViews, withView } from "./saved-views.ts";

/** The views saved in this browser, and a way to save the current one. */
export function SavedViewsBar({ filters }: { readonly filters: readonly string[] }) {
  const [params] = useSearchParams();
  const [views, setViews] = usePersisted(savedViews);
  const search = String(new URLSearchParams([...params].filter(([name]) => filters.includes(name))));
  const isKept = views.some((view) => view.search === search);
  if (views.length === 0 && search === "") return null;
  return (
    <div role="group" aria-label="Saved views" className="mb-3 flex flex-wrap items-center gap-2">
      {views.map((view) => (
        <span key={view.name} className="inline-flex items-center rounded-lg border border-line bg-surface">
          <Link
            to={`/runs?${view.search}`}
            aria-current={view.search === search ? "true" : undefined}
            className="min-h-7 max-w-60 truncate rounded-l-lg px-2.5 leading-7 text-soft hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent max-md:min-h-11 max-md:leading-11"
          >
            {view.name}
          </Link>
          <IconButton
            label={`Remove view ${view.name}`}
            icon="close"
            look="bare"
            iconClass="size-3"
            className="flex size-7 items-center justify-center text-soft hover:text-ink max-md:size-11"
            onClick={() => setViews(views.filter((other) => other !== view))}
          />
        </span>
      ))}
      {search !== "" && !isKept && <SaveForm key={search} search={search} />}
    </div>
  );
}

function SaveForm({ search }: { readonly search: string }) {
  const [isOpen, setOpen] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    savedViews.set(withView(savedViews.get(), String(new FormData(event.currentTarget).get("name") ?? ""), search));
  };
  if (!isOpen)
    return (
      <Button small onClick={() => setOpen(true)}>
        <Icon name="plus" className="size-3" /> Save view
      </Button>
    );
  return (
    <form className="flex gap-2" onSubmit={submit}>
      <Input
        className="min-h-7 w-44 py-0"
        name="name"
        aria-label="View name"
        maxLength={60}
        required
        // Users who pressed the button want to type here. eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
      />
      <Button small type="submit">
        Save
      </Button>
    </form>
  );
}
