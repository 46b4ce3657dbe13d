import { Menu as Parts } from "@base-ui/react/menu";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "react-router-dom";
import { Icon } from "./icon.tsx";

interface MenuProps {
  /** Content of the button. */
  readonly button: ReactNode;
  /** Name of the button, if its content does not say enough. */
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A button that opens a list of actions and links. */
export function Menu({ button, label, className = "", children }: MenuProps) {
  return (
    <Parts.Root modal={false}>
      <Parts.Trigger className={`btn ${className}`} aria-label={label}>
        {button}
      </Parts.Trigger>
      <MenuList align="end" sideOffset={6}>
        {children}
      </MenuList>
    </Parts.Root>
  );
}

/** The name of a menu, as content of its button. */
export function MenuName({ name }: { readonly name: string }) {
  return (
    <>
      {name} <Icon name="chevronDown" className="size-3.5" />
    </>
  );
}

function MenuList({ children, ...place }: ComponentProps<typeof Parts.Positioner>) {
  return (
    <Parts.Portal>
      <Parts.Positioner className="z-50" {...place}>
        <Parts.Popup className="popup max-h-(--available-height) overflow-y-auto">{children}</Parts.Popup>
      </Parts.Positioner>
    </Parts.Portal>
  );
}

const ITEM = "popup-item w-full max-md:min-h-11";

interface MenuItemProps {
  /** The page of the app that the item opens. */
  readonly to?: string;
  /** An address outside of the app. */
  readonly href?: string;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

/** An action, or a link. */
export function MenuItem({ to, href, ...item }: MenuItemProps) {
  const link = to === undefined ? <a href={href} /> : <Link to={to} />;
  const isLink = to !== undefined || href !== undefined;
  return <Parts.Item className={ITEM} {...item} {...(isLink && { render: link })} />;
}

interface MenuCheckProps {
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** An item that is on or off. */
export function MenuCheck({ checked, onCheck, children }: MenuCheckProps) {
  return (
    <Parts.CheckboxItem className={ITEM} checked={checked} onCheckedChange={onCheck}>
      <span className="flex-1">{children}</span>
      <Parts.CheckboxItemIndicator>
        <Icon name="check" />
      </Parts.CheckboxItemIndicator>
    </Parts.CheckboxItem>
  );
}

interface MenuChoiceProps<Id extends string> {
  readonly options: readonly {
    readonly id: Id;
    readonly label: string;
    readonly icon: ComponentProps<typeof Icon>["name"];
  }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

/** Items of which one is chosen. */
export function MenuChoice<Id extends string>({ options, chosen, onChoose }: MenuChoiceProps<Id>) {
  return (
    <Parts.RadioGroup value={chosen} onValueChange={onChoose}>
      {options.map(({ id, label, icon }) => (
        <Parts.RadioItem key={id} value={id} className={ITEM} closeOnClick>
          <Icon name={icon} />
          <span className="flex-1">{label}</span>
          <Parts.RadioItemIndicator>
            <Icon name="check" />
          </Parts.RadioItemIndicator>
        </Parts.RadioItem>
      ))}
    </Parts.RadioGroup>
  );
}

/** An item that opens further items. */
export function SubMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Parts.SubmenuRoot>
      <Parts.SubmenuTrigger className={ITEM}>
        <span className="flex-1">{label}</span>
        <Icon name="chevronRight" className="size-3.5" />
      </Parts.SubmenuTrigger>
      <MenuList>{children}</MenuList>
    </Parts.SubmenuRoot>
  );
}

/** A line between groups of items. */
export function MenuLine() {
  return <Parts.Separator className="my-1 h-px bg-line" />;
}
