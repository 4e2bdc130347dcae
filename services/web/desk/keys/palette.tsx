import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useState, type KeyboardEvent } from "react";
import { useLocation } from "wouter";
import { withQuery, type Page } from "../../ui/http/request.ts";
import { readOf } from "../../ui/http/use-read.ts";
import { Modal } from "../../ui/modal.tsx";
import { useScreens } from "../use-screens.ts";
import styles from "./palette.module.css";

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
export function Palette({ onClose }: { readonly onClose: () => void }) {
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
