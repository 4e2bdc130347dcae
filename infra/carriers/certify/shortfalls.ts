import { setTimeout as pause } from "node:timers/promises";
import type { CarrierReceipt } from "../../../services/messages/generated/carrier-receipt.ts";
import type { CarrierUpdate } from "../../../services/messages/generated/carrier-update.ts";

/** The headings of docs/carriers.md that explain what is checked, as the anchors of links to them. */
export const SECTIONS = [
  "topics",
  "requests",
  "updates",
  "order-and-repeats",
  "errors",
  "certification",
] as const;

/** What a scenario found instead of what it needs; both as parts of a sentence. */
export interface Shortfall {
  readonly expected: string;
  readonly came: string;
  /** Where docs/carriers.md explains it. */
  readonly see: (typeof SECTIONS)[number];
}

/** Why a scenario did not pass, as a sentence for the integrator. */
export class CertifyFailure extends Error {
  constructor({ expected, came, see }: Shortfall) {
    super(`Expected ${expected}, but ${came.replace(/\.$/, "")}. See docs/carriers.md#${see}`);
  }
}

/** Why a scenario cannot be played with this provider. */
export class CertifySkip extends Error {}

/** So many of an order's updates are named, the last ones. */
const NAMED_UPDATES = 5;

const SAME_ANSWER = "the repeated request to be answered with the same updates as before";

/** What an integration has published, and what became of it. */
export interface Published {
  readonly updates: readonly CarrierUpdate[];
  readonly receipts: readonly CarrierReceipt[];
}

/** A status that an order does not come to. */
export interface Unreached {
  readonly orderId: string;
  readonly status: string;
  readonly expected: readonly string[];
  /** The update that would move it there. */
  readonly by: string;
}

export function noRequest(kind: string): Shortfall {
  return {
    expected: `a ${kind} request on carriers.requests`,
    came: "the platform published none",
    see: "requests",
  };
}

export function notReached(
  { orderId, status, expected, by }: Unreached,
  published: Published,
): Shortfall {
  return {
    expected: `${by}, so that the order becomes ${expected.join(" or ")}`,
    came: `the order is still ${status}; ${updatesOf(orderId, published)}`,
    see: "updates",
  };
}

export function notCommitted(kind: string, groups: string): Shortfall {
  return {
    expected: `a consumer group ${groups}… to commit the offset of the ${kind} request`,
    came: "none has committed it",
    see: "order-and-repeats",
  };
}

export function refusedUpdate({ update_id, code, detail }: CarrierReceipt): Shortfall {
  return {
    expected: "every update to be accepted",
    came: `the update ${update_id ?? ""} was refused as ${code ?? ""}: ${detail ?? ""}`,
    see: code === "update_conflict" ? "order-and-repeats" : "errors",
  };
}

export function answeredAnew(updateId: string): Shortfall {
  return {
    expected: SAME_ANSWER,
    came: `an update came under another update_id, ${updateId}`,
    see: "order-and-repeats",
  };
}

export function notRepeated(updateIds: readonly string[]): Shortfall {
  return {
    expected: SAME_ANSWER,
    came: `these updates did not come again: ${updateIds.join(", ")}`,
    see: "order-and-repeats",
  };
}

/** `detail` is that of the API's refusal, which has the date and the hours. */
export function notCancellable(detail: string): Shortfall {
  return {
    expected: "your integration to confirm a date far enough ahead for the customer to cancel",
    came: `it is too late with the one that it confirmed: ${detail}`,
    see: "certification",
  };
}

export function notChangeable(detail: string): Shortfall {
  return {
    expected: "your integration to confirm a date far enough ahead for the customer to change it",
    came: `the change was not taken: ${detail}`,
    see: "certification",
  };
}

export function unansweredChange(version: number): Shortfall {
  return {
    expected: `date_confirmed, date_moved or change_refused with request_version ${version}`,
    came: "the change is still pending",
    see: "requests",
  };
}

/** What the platform itself, and not the integration, should have done. */
export function notDone(expected: string, came: string): Shortfall {
  return { expected, came, see: "certification" };
}

function updatesOf(orderId: string, { updates, receipts }: Published): string {
  const about = updates.filter((one) => one.order_id === orderId);
  if (about.length === 0) return "no update on it has come";
  const named = about.slice(-NAMED_UPDATES).map(({ update_id, raw_status, kind }) => {
    const receipt = receipts.find((one) => one.order_id === orderId && one.update_id === update_id);
    const meant = kind ?? "no kind, the provider's file decides";
    return `"${raw_status}" (${meant}): ${outcomeOf(receipt)}`;
  });
  return `its last updates are ${named.join("; ")}`;
}

function outcomeOf(receipt: CarrierReceipt | undefined): string {
  if (receipt === undefined) return "no receipt yet";
  return receipt.code === null ? receipt.outcome : `${receipt.outcome} as ${receipt.code}`;
}

const POLL_MS = 100;

export interface Wait {
  readonly timeoutMs: number;
  /** What was awaited, and what there is instead; asked at the end. */
  readonly what: () => Shortfall;
}

/** Repeats `find` until it returns something else than undefined. @throws CertifyFailure after the time */
export async function waitFor<T>(
  find: () => T | undefined | Promise<T | undefined>,
  { timeoutMs, what }: Wait,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > until) {
      const shortfall = what();
      const came = `${shortfall.came} (waited ${timeoutMs / 1_000} s)`;
      throw new CertifyFailure({ ...shortfall, came });
    }
    await pause(POLL_MS);
  }
}
