import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { Button } from "../../ui/button.tsx";
import { Banner, PageLinks, SkipLink } from "../../ui/frame.tsx";
import { useKeys } from "../../ui/keys/use-keys.ts";
import { useFetchedAhead } from "../../ui/use-fetched-ahead.ts";
import { useTheme, type Theme } from "../../ui/theme.ts";
import { useToasts } from "../../ui/toasts.tsx";
import { browserZone } from "../../ui/zoned/zoned-time.ts";
import { Everywhere } from "../keys/everywhere.tsx";
import { useConnection } from "../live/live.tsx";
import { useSearchKey } from "../orders/search/use-search-key.ts";
import { useAskingAhead } from "../use-first-screen.ts";
import { useScreens } from "../use-screens.ts";
import { useOperator, useSignOut } from "../session/session.ts";
import styles from "./shell.module.css";

/** The frame of every screen: navigation, who is signed in, whether what is shown is live. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [, navigate] = useLocation();
  const connection = useConnection();
  const screens = useScreens();
  useSearchKey();
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
      <Navigation />
      <main id="content" tabIndex={-1} className={styles["content"]}>
        {connection === "polling" && (
          <div role="status">
            <Banner>The live connection is lost. What you see is fetched every 15 seconds.</Banner>
          </div>
        )}
        {children}
      </main>
      <Everywhere />
    </div>
  );
}

function Navigation() {
  const pages = useScreens().flatMap(({ path, nav }) =>
    nav === undefined ? [] : [[path, nav] as const],
  );
  const ask = useAskingAhead();
  const { name, role } = useOperator();
  const signOut = useSignOut();
  const toasts = useToasts();
  return (
    <nav className={styles["navigation"]} aria-label="Desk">
      <p className={styles["product"]}>Porting desk</p>
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
          onClick={() => signOut.mutate(undefined, { onError: toasts.failed })}
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
