import { Menu } from "@base-ui/react/menu";
import { Link } from "react-router-dom";
import { switchAccount } from "../api/account.ts";
import { basePath } from "../api/base-path.ts";
import { api } from "../api/client.ts";
import { useRights } from "../api/session-query.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { keyboard } from "../ui/keyboard/keyboard-registry.ts";
import { usePersisted } from "../ui/persisted.ts";
import { showError } from "../ui/toast.tsx";
import { NAV_ENTRIES } from "./nav-entries.ts";
import { THEMES, type Theme, chooseTheme, keptTheme } from "./preferences.ts";

const LOOKS: Readonly<Record<Theme, { readonly label: string; readonly icon: IconName }>> = {
  system: { label: "System", icon: "screen" },
  light: { label: "Light", icon: "sun" },
  dark: { label: "Dark", icon: "moon" },
};

/** Both menus of the header, loaded after the first paint. */
export default function HeaderMenus() {
  return (
    <>
      <ThemeMenu />
      <MoreMenu />
    </>
  );
}

function ThemeMenu() {
  const [theme] = usePersisted(keptTheme);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="btn btn-quiet px-2 max-md:min-w-11" aria-label={`Theme: ${LOOKS[theme].label}`}>
        <Icon name={LOOKS[theme].icon} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-50">
          <Menu.Popup className="popup">
            <Menu.RadioGroup
              value={theme}
              onValueChange={(value) => chooseTheme(THEMES.find((entry) => entry === value) ?? "system")}
            >
              {THEMES.map((entry) => (
                <Menu.RadioItem key={entry} value={entry} className="popup-item" closeOnClick>
                  <Icon name={LOOKS[entry].icon} />
                  <span className="flex-1">{LOOKS[entry].label}</span>
                  <Menu.RadioItemIndicator>
                    <Icon name="check" />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Less common pages; on a phone also the main ones. */
function MoreMenu() {
  const { has } = useRights();
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="btn btn-quiet px-2 max-md:min-w-11">
        <Icon name="menu" className="size-4 md:hidden" />
        <span className="max-md:sr-only">Menu</span>
        <Icon name="chevronDown" className="size-3.5 max-md:hidden" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-50">
          <Menu.Popup className="popup">
            <PhonePages />
            <SessionItems />
            <PageItem label="Automations" to="/automations" />
            <PageItem label="Notifications" to="/notifications" />
            <PageItem label="Server" to="/server" />
            <PageItem label="Event console" to="/websocketclient" />
            <Menu.Item
              className="popup-item max-md:min-h-11"
              render={<a href={`${basePath}/api/doc/`}>API reference</a>}
            />
            <Menu.Item className="popup-item w-full max-md:min-h-11" onClick={() => keyboard.action("help")?.()}>
              Keyboard shortcuts
            </Menu.Item>
            {has("admin") && (
              <>
                <Menu.Separator className="my-1 h-px bg-line" />
                <PageItem label="Shut down…" to="/shutdown" />
              </>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Links to the main pages, which the header does not show on a phone. */
function PhonePages() {
  return (
    <div className="md:hidden">
      {NAV_ENTRIES.map((entry) => (
        <PageItem key={entry.to} label={entry.label} to={entry.to} />
      ))}
      <Menu.Separator className="my-1 h-px bg-line" />
    </div>
  );
}

function PageItem({ label, to }: { readonly label: string; readonly to: string }) {
  return <Menu.Item className="popup-item max-md:min-h-11" render={<Link to={to}>{label}</Link>} />;
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
      <Menu.Item className="popup-item w-full max-md:min-h-11" onClick={leave}>
        Sign out
      </Menu.Item>
      <Menu.Separator className="my-1 h-px bg-line" />
    </>
  );
}
