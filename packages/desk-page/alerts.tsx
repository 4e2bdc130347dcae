import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { z } from "zod";
import type { alertsAnswer } from "../../services/desk/alerts/answers.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { readOf } from "../ui/http/read.ts";
import { Modal } from "../ui/modal.tsx";
import { DataView } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { useToasts } from "../ui/toasts.tsx";
import { keyText, useKeyActions } from "./keys.ts";
import { orderTitle } from "./reviews/reviews.ts";
import styles from "./shell.module.css";

type Alerts = z.infer<typeof alertsAnswer>;
type Alert = Alerts["alerts"][number];

/** Fetched once, and again when the live stream says that it may differ. */
function useAlertsQuery() {
  return useQuery({ ...readOf<Alerts>("alerts", "/desk/v1/alerts"), staleTime: Infinity });
}

/** How much concerns the operator, as the tab's title begins. */
export function useAlertsPrefix(): string {
  const count = useAlertsQuery().data?.alerts.length ?? 0;
  return count === 0 ? "" : `(${count}) `;
}

const COUNTED: Readonly<Record<string, keyof Alerts["counts"]>> = {
  "/reviews": "reviews",
  "/orders": "orders",
};

/** How much waits on a screen for anybody; nothing where nothing does. */
export function WaitingCount({ path }: { readonly path: string }) {
  const { data } = useAlertsQuery();
  const of = COUNTED[path];
  const count = of === undefined ? 0 : (data?.counts[of] ?? 0);
  return count === 0 ? null : <span className={styles["count"]}>{count.toLocaleString()}</span>;
}

const WORDS: Readonly<Record<Alert["kind"], readonly [Tone, string]>> = {
  assigned: ["info", "Assigned to you"],
  duplicate: ["bad", "Duplicate"],
  comment: ["warning", "Comment"],
  carrier: ["warning", "Carrier"],
  overdue: ["warning", "Overdue"],
  port_out: ["bad", "Port-out"],
};

function pathOf({ order_id: id, port_out_id: portOut, has_case: hasCase, kind }: Alert): string {
  if (id === null) return `/port-outs/${portOut ?? ""}`;
  return hasCase && kind !== "carrier" ? `/reviews/${id}` : `/orders/${id}`;
}

function titleOf({ kind, order_id: id, account, customer_reference: reference }: Alert): string {
  const ofPortOut =
    kind === "comment" ? "a comment on a port-out" : "numbers left against a rejection";
  const what = id === null ? ofPortOut : orderTitle(id, reference);
  return `${account.name}: ${what}`;
}

/** What concerns the operator: a count, behind which stands the list. */
export function Bell() {
  const query = useAlertsQuery();
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => setIsOpen(true);
  useKeyActions({ alerts: open });
  const alerts = query.data?.alerts ?? [];
  useNewAssignments(query.data?.alerts);
  return (
    <>
      <button
        type="button"
        className={styles["bell"]}
        aria-label={`What concerns you: ${alerts.length}`}
        title={`What concerns you (${keyText("alerts")})`}
        onClick={open}
      >
        <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
          <path
            d="M8 1.5a4 4 0 0 0-4 4c0 4-1.5 5-1.5 6h11c0-1-1.5-2-1.5-6a4 4 0 0 0-4-4M6.5 13.5a1.6 1.6 0 0 0 3 0"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.4"
          />
        </svg>
        {alerts.length > 0 && <span className={styles["count"]}>{alerts.length}</span>}
      </button>
      {isOpen && (
        <Modal title="What concerns you" onClose={() => setIsOpen(false)}>
          <DataView query={query}>
            {() => <List alerts={alerts} onGo={() => setIsOpen(false)} />}
          </DataView>
        </Modal>
      )}
    </>
  );
}

function List({ alerts, onGo }: { readonly alerts: readonly Alert[]; readonly onGo: () => void }) {
  if (alerts.length === 0) {
    return <p className="muted">Nothing. Your cases and orders appear here when they need you.</p>;
  }
  return (
    <ul className={styles["alerts"]}>
      {alerts.map((alert) => (
        <li key={`${alert.kind} ${alert.order_id ?? alert.port_out_id ?? ""}`}>
          <Badge tone={WORDS[alert.kind][0]}>{WORDS[alert.kind][1]}</Badge>
          <Link href={pathOf(alert)} onClick={onGo} data-first-focus="">
            {titleOf(alert)}
          </Link>
          <Time at={alert.since} form="past" />
        </li>
      ))}
    </ul>
  );
}

/** Says at once what a lead has just assigned. */
function useNewAssignments(alerts: readonly Alert[] | undefined): void {
  const known = useRef<ReadonlySet<string | null> | null>(null);
  const toasts = useToasts();
  const [, navigate] = useLocation();
  useEffect(() => {
    if (alerts === undefined) return;
    const assigned = alerts.filter(({ kind }) => kind === "assigned");
    const before = known.current;
    known.current = new Set(assigned.map(({ order_id: id }) => id));
    for (const alert of assigned) {
      if (before === null || before.has(alert.order_id)) continue;
      const open = (): void => navigate(pathOf(alert));
      toasts.replaced("assigned", "Assigned to you", titleOf(alert), ["Open", open]);
    }
  }, [alerts]);
}
