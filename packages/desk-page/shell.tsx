import { useDeferredValue, useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { useLocation } from "wouter";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { useFetchedAhead } from "../ui/fetched.tsx";
import { readOf } from "../ui/http/read.ts";
import { withQuery, type Page } from "../ui/http/request.ts";
import { useKeys } from "../ui/keys.ts";
import { Modal } from "../ui/modal.tsx";
import { Banner, PageLinks, SkipLink } from "../ui/page.tsx";
import { useTheme, type Theme } from "../ui/theme.ts";
import { useToasts } from "../ui/toasts.tsx";
import { browserZone } from "../ui/zoned-time.ts";
import {
  KEY_GROUPS,
  KEY_TABLE,
  keyText,
  useKeyActions,
  useSearchKey,
  type KeyAction,
} from "./keys.ts";
import { useConnection } from "./live.tsx";
import { useAskingAhead, useScreens } from "./screens.tsx";
import { useOperator, useSignOut } from "./session.ts";
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

/**
 * What keys open on every screen: their own list, and the way to everywhere else. Both open at once, without fetching
 * code: until a dialog is open, what is typed into it acts on the page, where `a` approves.
 */
function Everywhere() {
  const [open, setOpen] = useState<"help" | "palette" | null>(null);
  const close = (): void => setOpen(null);
  useKeyActions({ help: () => setOpen("help"), palette: () => setOpen("palette") });
  return (
    <>
      {open === "help" && <Help onClose={close} />}
      {open === "palette" && <Palette onClose={close} />}
    </>
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

/** What the list of orders shows of one (docs/contract/desk-api.md, GET /orders). */
interface FoundOrder {
  readonly id: string;
  readonly status: string;
  readonly customer_reference: string;
  readonly country_code: string;
  readonly number_type: string;
}

interface Choice {
  readonly path: string;
  readonly title: string;
  readonly hint: string;
}

/** Shorter words match too many orders to be of use. */
const MIN_SEARCH = 3;
const MOST_ORDERS = 8;

/** Goes to a screen or an order by a few letters. */
function Palette({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { choices, note } = useChoices(text.trim());
  const id = useId();
  const current = choices[Math.min(at, choices.length - 1)];
  const go = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    navigate(choice.path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = choices.length - 1;
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, last));
    else if (event.key === "ArrowUp") setAt(Math.max(Math.min(at, last) - 1, 0));
    else if (event.key === "Enter") go(current);
    else return;
    event.preventDefault();
  };
  return (
    <Modal title="Go to" onClose={onClose}>
      <input
        className={styles["search"]}
        role="combobox"
        aria-label="A screen, or an order's number, reference or id"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.path}`}
        placeholder="A screen, or an order's number, reference or id"
        autoFocus
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul className={styles["list"]} role="listbox" aria-label="Found" id={`${id}-list`}>
        {choices.map((choice) => (
          <li
            key={choice.path}
            id={`${id}-${choice.path}`}
            role="option"
            aria-selected={choice === current}
            ref={choice === current ? intoView : null}
            onClick={() => go(choice)}
          >
            <span>{choice.title}</span>
            <small>{choice.hint}</small>
          </li>
        ))}
      </ul>
      <p role="status">{note}</p>
    </Modal>
  );
}

/** The keys go on where the list is longer than its frame. */
function intoView(choice: HTMLElement | null): void {
  choice?.scrollIntoView({ block: "nearest" });
}

interface Choices {
  readonly choices: readonly Choice[];
  /** Why there are no more; empty where these are all. */
  readonly note: string;
}

function useChoices(text: string): Choices {
  const screens = useScreens().flatMap(({ path, nav, goKey }) =>
    nav === undefined || !nav.toLowerCase().includes(text.toLowerCase())
      ? []
      : [{ path, title: nav, hint: goKey === undefined ? "" : `g ${goKey}` }],
  );
  const found = useOrders(text);
  const orders = found.orders.map((order) => ({
    path: `/orders/${order.id}`,
    title: order.customer_reference === "" ? `Order ${order.id}` : order.customer_reference,
    hint: `${order.country_code} ${order.number_type} · ${order.status}`,
  }));
  const choices = [...screens, ...orders];
  if (found.isSearching) return { choices, note: "Searching the orders…" };
  if (found.error !== null)
    return { choices, note: `The orders were not searched. ${found.error.message}` };
  return { choices, note: choices.length === 0 ? "Nothing found." : "" };
}

function useOrders(text: string) {
  const q = useDeferredValue(text);
  const { data, error, isLoading } = useQuery({
    ...readOf<Page<FoundOrder>>("orders", withQuery("/desk/v1/orders", { q, limit: MOST_ORDERS })),
    enabled: q.length >= MIN_SEARCH,
  });
  return { orders: data?.data ?? [], error, isSearching: isLoading };
}
