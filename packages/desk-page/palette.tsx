import { useDeferredValue, useId, useState, type KeyboardEvent } from "react";
import { useLocation } from "wouter";
import { useQuery } from "@tanstack/react-query";
import { includesRole } from "../../services/domain/account/rules/operator-role.ts";
import { readOf } from "../ui/http/read.ts";
import { withQuery, type Page } from "../ui/http/request.ts";
import { Modal } from "../ui/modal.tsx";
import { useTheme } from "../ui/theme.ts";
import { addingState } from "./adding.ts";
import { numberPath } from "./orders/orders.ts";
import { activeActions, KEY_TABLE, keyText } from "./keys.ts";
import { sendHeld } from "./reviews/case/sending.ts";
import { useScreens } from "./screens.tsx";
import { useOperator, useSignOut } from "./session.ts";
import styles from "./shell.module.css";

/** One thing to go to, or to do. */
interface Choice {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly act: () => void;
}

interface Choices {
  readonly choices: readonly Choice[];
  /** Why there are no more; empty where these are all. */
  readonly note: string;
}

/** Shorter words match too many to be of use. */
const MIN_SEARCH = 3;
const MOST_ORDERS = 6;
const MOST_OTHERS = 4;

const PROMPT = "A screen, an action, an order, a number, an account or a person";

/** Goes to anything, or does anything, by a few letters. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { choices, note } = useChoices(text.trim());
  const id = useId();
  const current = choices[Math.min(at, choices.length - 1)];
  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    choice.act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = choices.length - 1;
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, last));
    else if (event.key === "ArrowUp") setAt(Math.max(Math.min(at, last) - 1, 0));
    else if (event.key === "Enter") run(current);
    else return;
    event.preventDefault();
  };
  return (
    <Modal title="Go to" onClose={onClose}>
      <input
        className={styles["search"]}
        role="combobox"
        aria-label={PROMPT}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.id}`}
        placeholder={PROMPT}
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
            key={choice.id}
            id={`${id}-${choice.id}`}
            role="option"
            aria-selected={choice === current}
            ref={choice === current ? intoView : null}
            onClick={() => run(choice)}
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

function useChoices(text: string): Choices {
  const screens = useScreenChoices();
  const actions = useActions();
  const has = ({ title }: Choice): boolean => title.toLowerCase().includes(text.toLowerCase());
  const found = useFound(text);
  const here = [...screens, ...(text === "" ? actions.slice(0, MOST_OTHERS) : actions)].filter(has);
  const choices = [...here, ...found.flatMap((one) => one.choices)];
  const failed = found.find(({ error }) => error !== null);
  if (found.some(({ isLoading }) => isLoading)) return { choices, note: "Searching…" };
  if (failed !== undefined) {
    return { choices, note: `The ${failed.what} were not searched. ${failed.error?.message}` };
  }
  return { choices, note: choices.length === 0 ? "Nothing found." : "" };
}

function useScreenChoices(): readonly Choice[] {
  const [, navigate] = useLocation();
  return useScreens().flatMap(({ path, nav, goKey }) =>
    nav === undefined
      ? []
      : [
          {
            id: path,
            title: nav,
            hint: goKey === undefined ? "Screen" : `g ${goKey}`,
            act: () => navigate(path),
          },
        ],
  );
}

/** What the open page does by key, and what can be done from everywhere. */
function useActions(): readonly Choice[] {
  const [, navigate] = useLocation();
  const { role } = useOperator();
  const [, chooseTheme] = useTheme();
  const signOut = useSignOut();
  const ofPage = activeActions().map(([name, act]) => {
    return { id: name, title: KEY_TABLE[name].does, hint: keyText(name), act };
  });
  const action = (title: string, act: () => void): Choice => ({
    id: title.replaceAll(" ", "-"),
    title,
    hint: "Action",
    act,
  });
  const ofAdmins = includesRole(role, "admin")
    ? [
        action("Create an account", () => navigate("/accounts", { state: addingState() })),
        action("Add an operator", () => navigate("/operators", { state: addingState() })),
      ]
    : [];
  return [
    ...ofPage,
    ...ofAdmins,
    action("Read the guide to the desk", () => window.location.assign("/docs/desk")),
    action("Use the light theme", () => chooseTheme("light")),
    action("Use the dark theme", () => chooseTheme("dark")),
    action("Use the system’s theme", () => chooseTheme("system")),
    action("Sign out", () => void sendHeld().then(() => signOut.mutate())),
  ];
}

interface Found {
  readonly what: string;
  readonly choices: readonly Choice[];
  readonly error: Error | null;
  readonly isLoading: boolean;
}

interface Source<Row> {
  readonly what: string;
  /** Null where the text can find nothing of it. */
  readonly path: string | null;
  readonly show: (row: Row) => Omit<Choice, "act"> & { readonly to: string };
}

function useSource<Row>({ what, path, show }: Source<Row>): Found {
  const [, navigate] = useLocation();
  const { data, error, isLoading } = useQuery({
    ...readOf<Page<Row>>(what, path ?? ""),
    enabled: path !== null,
  });
  const choices = (path === null ? [] : (data?.data ?? [])).map((row) => {
    const { to, ...shown } = show(row);
    return { ...shown, act: () => navigate(to) };
  });
  return { what, choices, error: path === null ? null : error, isLoading };
}

/** What the lists show of each (docs/contract/desk-api.md). */
interface FoundOrder {
  readonly id: string;
  readonly status: string;
  readonly customer_reference: string;
  readonly country_code: string;
  readonly number_type: string;
}
interface FoundNumber {
  readonly phone_number: string;
  readonly account: Named;
}
interface Named {
  readonly id: string;
  readonly name: string;
}

function useFound(text: string): readonly Found[] {
  const q = useDeferredValue(text);
  const isLong = q.length >= MIN_SEARCH;
  const hasDigits = q.replaceAll(/\D/g, "").length > MIN_SEARCH;
  const pathOf = (path: string, limit: number) => withQuery(`/desk/v1/${path}`, { q, limit });
  const orders = useSource<FoundOrder>({
    what: "orders",
    path: isLong ? pathOf("orders", MOST_ORDERS) : null,
    show: ({ id, customer_reference: reference, country_code, number_type, status }) => ({
      id: `order-${id}`,
      title: reference === "" ? `Order ${id}` : reference,
      hint: `${country_code} ${number_type} · ${status}`,
      to: `/orders/${id}`,
    }),
  });
  const numbers = useSource<FoundNumber>({
    what: "numbers",
    path: isLong && hasDigits ? pathOf("numbers", MOST_OTHERS) : null,
    show: ({ phone_number, account }) => ({
      id: `number-${phone_number}`,
      title: phone_number,
      hint: `Number · ${account.name}`,
      to: numberPath(phone_number),
    }),
  });
  const accounts = useSource<Named>({
    what: "accounts",
    path: isLong ? pathOf("accounts", MOST_OTHERS) : null,
    show: ({ id, name }) => {
      return { id: `account-${id}`, title: name, hint: "Account", to: `/accounts/${id}` };
    },
  });
  const people = useSource<Named>({
    what: "operators",
    path: isLong ? "/desk/v1/reviewers" : null,
    show: ({ id, name }) => {
      return { id: `person-${id}`, title: name, hint: "Person", to: `/audit?operator_id=${id}` };
    },
  });
  // The list is short, and searched here.
  const named = people.choices.filter(({ title }) => title.toLowerCase().includes(q.toLowerCase()));
  return [orders, numbers, accounts, { ...people, choices: named.slice(0, MOST_OTHERS) }];
}
