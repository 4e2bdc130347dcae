import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { Problem, request, type Fetch } from "../../../ui/http/request.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { keyText } from "../../keys.ts";
import { casePath } from "../queue/next-case.ts";
import { caseKey, PATH, QUEUE_KEY, type ReviewCase } from "../reviews.ts";
import { EMPTY_DRAFT, hasVerdicts, keepDraft } from "./draft.ts";
import type { Sendable } from "./verdicts.ts";

/** How long a decision waits in the page, to be taken back. */
const UNDO_MS = 5_000;

type Complete = Exclude<Sendable, { readonly kind: "incomplete" }>;

/** A decision that the service has not answered yet. */
interface Held extends Complete {
  readonly orderId: string;
  readonly title: string;
  /** Under which it is sent, once or again, so that it happens once. */
  readonly key: string;
  /** The queue's filters, for the way back. */
  readonly search: string;
  /** The case that was claimed as the next one. */
  readonly nextId: string | null;
  readonly isSent: boolean;
}

const KEPT = "desk.sending";

/** The latest last, which alone can still be taken back; kept in the tab, so that a reload sends what was not answered. */
let held: readonly Held[] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as readonly Held[];
let timer: ReturnType<typeof setTimeout> | undefined;
const readers = new Set<() => void>();

function keep(next: readonly Held[]): void {
  held = next;
  if (held.length === 0) sessionStorage.removeItem(KEPT);
  else sessionStorage.setItem(KEPT, JSON.stringify(held));
  for (const read of readers) read();
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Sends what waits, even while the page is being left. */
let deliver: (one: Held) => Promise<void> = () => Promise.resolve();

/** Sends at once what waits to be sent, and resolves when all of it is answered. */
export async function sendHeld(): Promise<void> {
  clearTimeout(timer);
  const waiting = held.filter(({ isSent }) => !isSent);
  keep(held.map((one) => ({ ...one, isSent: true })));
  await Promise.all(waiting.map(deliver));
}

/** Delivers decisions as long as the desk is open, whichever page is shown. */
export function useDelivery(): void {
  const client = useQueryClient();
  const toasts = useToasts();
  const [, navigate] = useLocation();
  deliver = async (one) => {
    const { orderId, kind, body, title } = one;
    try {
      const decided = await decide(one);
      keepDraft(orderId, body.attempt, EMPTY_DRAFT);
      showDecided(client, decided);
      const sent = kind === "confirm" ? "Sent to the carrier" : "Returned to the customer";
      toasts.replaced(TOAST, sent, title);
    } catch (error) {
      toasts.failedWith(error, ["Open the case", () => navigate(pathOf(one))]);
      void client.invalidateQueries({ queryKey: caseKey(orderId) });
    } finally {
      keep(held.filter((other) => other.orderId !== orderId));
    }
  };
  useEffect(() => {
    // Another operator signed in, and the drafts of the one before are gone.
    if (sessionStorage.getItem(KEPT) === null) keep([]);
    // Whether what a page before this one sent has arrived is not known: the same key makes it happen once.
    const left = held.filter(({ isSent }) => isSent);
    void Promise.all([sendHeld(), ...left.map(deliver)]);
    const onLeave = (): void => void sendHeld();
    window.addEventListener("pagehide", onLeave);
    return () => window.removeEventListener("pagehide", onLeave);
  }, []);
}

/** Browsers send 64 KiB at most for a page that has been left; a character is up to four bytes. */
const MOST_LEFT = 15_000;
const IN_PROGRESS = "idempotency_in_progress";
const TRY_AGAIN_MS = 1_000;

async function decide(one: Held): Promise<ReviewCase> {
  const { orderId, body, key: idempotencyKey } = one;
  const keepalive = JSON.stringify(body).length < MOST_LEFT;
  const via: Fetch = (url, init) => fetch(url, { ...init, keepalive });
  try {
    const path = `${PATH}/${orderId}/decision`;
    return await request<ReviewCase>("POST", path, { body, idempotencyKey, via });
  } catch (error) {
    if (!(error instanceof Problem && error.code === IN_PROGRESS)) throw error;
    // By the page that was reloaded.
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    return decide(one);
  }
}

const TOAST = "decision";

function pathOf({ orderId, search }: Held): string {
  return casePath(orderId, new URLSearchParams(search));
}

function showDecided(client: QueryClient, decided: ReviewCase): void {
  client.setQueryData(caseKey(decided.order_id), decided);
  void client.invalidateQueries({ queryKey: QUEUE_KEY });
}

/** Decisions on their way, and the last one, as long as it can be taken back. */
export function useSending() {
  const all = useSyncExternalStore(subscribe, () => held);
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const undo = (): void => {
    const last = held.at(-1);
    if (last === undefined || last.isSent) return;
    clearTimeout(timer);
    undone.add(last.key);
    keep(held.slice(0, -1));
    toasts.replaced(TOAST, "Not sent", `${last.title}: your verdicts are drafts again.`);
    const { nextId } = last;
    // It would stay claimed, though another may be opened next.
    if (nextId !== null && !hasVerdicts(nextId)) {
      request("POST", `${PATH}/${nextId}/release?masked=true`).catch(() => undefined);
    }
    navigate(pathOf(last));
  };
  return {
    /** That of a case which is not answered yet. */
    of: (orderId: string): Held | null => all.find((one) => one.orderId === orderId) ?? null,
    /** Their orders: a case that is decided stays its claimer's until the service has answered. */
    ids: all.map(({ orderId }) => orderId),
    undo: all.at(-1)?.isSent === false ? undo : undefined,
    /** Sends a decision in a moment, and at once what waited before it. */
    send: (one: Omit<Held, "key" | "nextId" | "isSent">): Wait => {
      void sendHeld();
      const key = keyOf(one);
      undone.delete(key);
      keep([...held, { ...one, key, nextId: null, isSent: false }]);
      timer = setTimeout(() => void sendHeld(), UNDO_MS);
      const where = one.kind === "confirm" ? "to the carrier" : "to the customer";
      toasts.replaced(TOAST, `Goes ${where} in ${UNDO_MS / 1_000} seconds`, one.title, [
        `Undo (${keyText("undo")})`,
        undo,
      ]);
      return {
        isUndone: () => undone.has(key),
        claimedNext: (nextId) =>
          keep(held.map((other) => (other.key === key ? { ...other, nextId } : other))),
      };
    },
  };
}

interface Wait {
  readonly isUndone: () => boolean;
  /** Says which case was claimed to be shown next. */
  readonly claimedNext: (orderId: string) => void;
}

/** The keys of what was taken back. */
const undone = new Set<string>();

const keys = new Map<string, string>();

/** The same for what is sent once more because nobody knows whether it arrived. */
function keyOf({ orderId, body }: Pick<Held, "orderId" | "body">): string {
  const content = `${orderId} ${JSON.stringify(body)}`;
  const key = keys.get(content) ?? crypto.randomUUID();
  keys.set(content, key);
  return key;
}
