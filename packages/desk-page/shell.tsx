import { useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { Button } from "../ui/button.tsx";
import { useFetchedAhead } from "../ui/fetched.tsx";
import { useKeys } from "../ui/keys.ts";
import { Modal } from "../ui/modal.tsx";
import { Banner, PageLinks, SkipLink, TitlePrefix } from "../ui/page.tsx";
import { useTheme, type Theme } from "../ui/theme.ts";
import { useToasts } from "../ui/toasts.tsx";
import { browserZone } from "../ui/zoned-time.ts";
import { Bell, useAlertsPrefix, WaitingCount } from "./alerts.tsx";
import {
  KEY_GROUPS,
  KEY_TABLE,
  keyText,
  useKeyActions,
  useSearch,
  type KeyAction,
} from "./keys.ts";
import { useConnection } from "./live.tsx";
import { Palette } from "./palette.tsx";
import { sendHeld, useDelivery } from "./reviews/case/sending.ts";
import { useAskingAhead, useScreens } from "./screens.tsx";
import { useOperator, useSignOut } from "./session.ts";
import styles from "./shell.module.css";

/** The frame of every screen: navigation, who is signed in, whether what is shown is live. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [, navigate] = useLocation();
  const connection = useConnection();
  const screens = useScreens();
  useDelivery();
  // Both open at once, without fetching code: until a dialog is open, what is typed acts on the page, where `a` approves.
  const [open, setOpen] = useState<"help" | "palette" | null>(null);
  const search = useSearch();
  const everywhere = {
    search,
    palette: () => setOpen("palette"),
    help: () => setOpen("help"),
  };
  useKeyActions(everywhere);
  useFetchedAhead(screens);
  const ask = useAskingAhead();
  const going = screens.flatMap(({ path, goKey }) =>
    goKey === undefined ? [] : [{ path, key: `g ${goKey}` }],
  );
  useKeys({
    g: () => going.forEach(({ path }) => ask(path)),
    ...Object.fromEntries(going.map(({ path, key }) => [key, () => navigate(path)])),
  });
  return (
    <div className={styles["shell"]}>
      <SkipLink />
      <Navigation>
        <div className={styles["tools"]}>
          {TOOLS.map(([name, text]) => (
            <Button key={name} hotkey={keyText(name)} onClick={everywhere[name]}>
              {text}
            </Button>
          ))}
        </div>
      </Navigation>
      <main id="content" tabIndex={-1} className={styles["content"]}>
        {connection === "polling" && (
          <div role="status">
            <Banner>The live connection is lost. What you see is fetched every 15 seconds.</Banner>
          </div>
        )}
        <TitlePrefix value={useAlertsPrefix()}>{children}</TitlePrefix>
      </main>
      {open === "help" && <Help onClose={() => setOpen(null)} />}
      {open === "palette" && <Palette onClose={() => setOpen(null)} />}
    </div>
  );
}

/** What keys do on every screen, and these buttons. */
const TOOLS = [
  ["search", "Search"],
  ["palette", "Go to"],
  ["help", "Keys"],
] as const;

function Navigation({ children }: { readonly children: ReactNode }) {
  const pages = useScreens().flatMap(({ path, nav }) =>
    nav === undefined
      ? []
      : [
          [
            path,
            <>
              {nav}
              <WaitingCount path={path} />
            </>,
          ] as const,
        ],
  );
  const ask = useAskingAhead();
  const { name, role } = useOperator();
  const signOut = useSignOut();
  const toasts = useToasts();
  return (
    <nav className={styles["navigation"]} aria-label="Desk">
      <div className={styles["product"]}>
        <p>Porting desk</p>
        <Bell />
      </div>
      {children}
      <PageLinks pages={pages} className={styles["links"]} onApproach={ask} />
      <div className={styles["person"]}>
        <p>
          <strong>{name}</strong>
          <span>{role}</span>
        </p>
        <p className={styles["zone"]}>Times: {browserZone()}</p>
        <ThemeChoice />
        <Button
          kind="quiet"
          onClick={() =>
            void sendHeld().then(() => signOut.mutate(undefined, { onError: toasts.failed }))
          }
          isBusy={signOut.isPending}
        >
          Sign out
        </Button>
      </div>
    </nav>
  );
}

function ThemeChoice() {
  const [theme, choose] = useTheme();
  return (
    <select
      aria-label="Theme"
      className={styles["theme"]}
      value={theme}
      onChange={(event) => choose(event.target.value as Theme)}
    >
      <option value="system">System theme</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}

/** Every key, from the one table of them. */
function Help({ onClose }: { readonly onClose: () => void }) {
  const rows = Object.entries(KEY_TABLE) as [KeyAction, (typeof KEY_TABLE)[KeyAction]][];
  return (
    <Modal
      title="Keys"
      description="Inactive while you type and while a dialog is open."
      onClose={onClose}
    >
      {KEY_GROUPS.map((group) => (
        <section key={group} className={styles["group"]}>
          <h3>{group}</h3>
          <dl className={styles["keys"]}>
            {rows
              .filter(([, row]) => row.group === group)
              .map(([name, row]) => (
                <KeyLine key={name} text={keyText(name)} does={row.does} />
              ))}
            {group === "Everywhere" && <ScreenKeys />}
          </dl>
        </section>
      ))}
    </Modal>
  );
}

function ScreenKeys() {
  return useScreens().map(({ path, nav, goKey }) =>
    goKey === undefined ? null : (
      <KeyLine key={path} text={`g ${goKey}`} does={`Go to ${nav ?? path}`} />
    ),
  );
}

function KeyLine({ text, does }: { readonly text: string; readonly does: string }) {
  return (
    <div>
      <dt>
        <kbd>{text}</kbd>
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
