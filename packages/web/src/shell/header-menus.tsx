import { switchAccount } from "../api/account.ts";
import { basePath } from "../api/base-path.ts";
import { api } from "../api/client.ts";
import { useRights } from "../api/session-query.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { keyboard } from "../ui/keyboard/keyboard-registry.ts";
import { Menu, MenuChoice, MenuItem, MenuLine } from "../ui/menu.tsx";
import { usePersisted } from "../ui/persisted.ts";
import { showError } from "../ui/toast.tsx";
import { NAV_ENTRIES } from "./nav-entries.ts";
import { type Theme, chooseTheme, keptTheme } from "./preferences.ts";

const LOOKS: readonly { readonly id: Theme; readonly label: string; readonly icon: IconName }[] = [
  { id: "system", label: "System", icon: "screen" },
  { id: "light", label: "Light", icon: "sun" },
  { id: "dark", label: "Dark", icon: "moon" },
];

/** Both menus of the header, loaded after the first paint. */
export default function HeaderMenus() {
  return (
    <>
      <ThemeMenu />
      <MoreMenu />
    </>
  );
}

const TRIGGER = "btn-quiet px-2 max-md:min-w-11";

function ThemeMenu() {
  const [theme] = usePersisted(keptTheme);
  const look = LOOKS.find(({ id }) => id === theme);
  return (
    <Menu button={<Icon name={look?.icon ?? "screen"} />} label={`Theme: ${look?.label}`} className={TRIGGER}>
      <MenuChoice options={LOOKS} chosen={theme} onChoose={chooseTheme} />
    </Menu>
  );
}

/** Less common pages; on a phone also the main ones. */
function MoreMenu() {
  const { has } = useRights();
  return (
    <Menu
      className={TRIGGER}
      button={
        <>
          <Icon name="menu" className="size-4 md:hidden" />
          <span className="max-md:sr-only">Menu</span>
          <Icon name="chevronDown" className="size-3.5 max-md:hidden" />
        </>
      }
    >
      <PhonePages />
      <SessionItems />
      <MenuItem to="/automations">Automations</MenuItem>
      <MenuItem to="/notifications">Notifications</MenuItem>
      <MenuItem to="/server">Server</MenuItem>
      <MenuItem to="/websocketclient">Event console</MenuItem>
      <MenuItem href={`${basePath}/api/doc/`}>API reference</MenuItem>
      <MenuItem onClick={() => keyboard.action("help")?.()}>Keyboard shortcuts</MenuItem>
      {has("admin") && (
        <>
          <MenuLine />
          <MenuItem to="/shutdown">Shut down…</MenuItem>
        </>
      )}
    </Menu>
  );
}

/** Links to the main pages, which the header does not show on a phone. */
function PhonePages() {
  return (
    <div className="md:hidden">
      {NAV_ENTRIES.map((entry) => (
        <MenuItem key={entry.to} to={entry.to}>
          {entry.label}
        </MenuItem>
      ))}
      <MenuLine />
    </div>
  );
}

/** The signed-in user and a sign-out button; renders nothing without sign-in. */
function SessionItems() {
  const { session } = useRights();
  if (session === undefined || session.auth === "none" || session.principal === null) return null;
  const leave = (): void => {
    api("DELETE /api/session", {})
      .then(() => switchAccount(null))
      .then(
        () => location.reload(),
        (error: Error) => showError(`You are still signed in: ${error.message}`),
      );
  };
  return (
    <>
      <p className="px-2.5 pt-1 text-small text-soft">
        Signed in as <b className="wrap-anywhere">{session.principal}</b> ({session.role})
      </p>
      <MenuItem onClick={leave}>Sign out</MenuItem>
      <MenuLine />
    </>
  );
}
