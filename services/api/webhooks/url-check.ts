import { AppError } from "../../platform/errors.ts";
import { NoSlot, refusedAs } from "../../platform/fair-slots.ts";
import type { Preparing } from "../../platform/http/routing/preparing.ts";
import {
  BlockedAddress,
  vetHost,
  type AddressPolicy,
  type AddressReason,
} from "../../platform/net/address-policy.ts";
import { createNameResolver, type Resolve } from "../../platform/net/name-resolver.ts";
import { findUrlFault, hasWebHost } from "../../platform/net/url-rules.ts";

/** Of the turn and the lookup together. */
const VET_DEADLINE_MS = 10_000;

const tooManyNames = refusedAs(
  "Too many host names of this account are being looked up. Try again.",
  5,
);

/**
 * Checks a customer's webhook URL before it is stored.
 * @throws `validation_failed` if it is not a URL or too long; `webhook_url_blocked` if its form or host is not
 *   allowed or the host cannot be resolved; `rate_limited` if too many of the account's names are waiting; `pointer`
 *   is the URL's location in the body
 */
export type CheckUrl = (preparing: Preparing, url: string, pointer: string) => Promise<void>;

export interface UrlCheckOptions {
  readonly policy: AddressPolicy;
  readonly allowHttp: boolean;
  readonly resolve?: Resolve;
}

export function createUrlCheck(options: UrlCheckOptions): CheckUrl {
  const { policy, allowHttp } = options;
  const resolve = options.resolve ?? createNameResolver();
  return async ({ owner }, url, pointer) => {
    const ofForm = findUrlFault(url, { allowHttp });
    // Both are reported at once: whoever corrects one would otherwise learn of the other by the next refusal.
    const vetted = hasWebHost(url)
      ? await findHostRefusal(vetHost(new URL(url).hostname, { policy, resolve, owner }))
      : null;
    const ofHost = vetted === null ? null : hostFault(vetted);
    const faults = [ofForm, ofHost].filter((fault) => fault !== null);
    if (faults.length > 0) throw refuse(pointer, faults);
  };
}

interface FoundFault {
  readonly code: string;
  readonly detail: string;
}

function hostFault(refusal: AddressReason | "unresolvable"): FoundFault {
  if (refusal === "unresolvable") {
    return { code: refusal, detail: "Its host could not be resolved." };
  }
  const detail = `Its host has a ${REASONS[refusal]} address; it must have only public addresses.`;
  return { code: "blocked_address", detail };
}

const REASONS: Readonly<Record<AddressReason, string>> = {
  loopback: "loopback",
  private: "private",
  link_local: "link-local",
  multicast: "multicast",
  reserved: "reserved",
};

/** Fails closed: any error or timeout is `unresolvable`. @throws `rate_limited` */
async function findHostRefusal(
  vetting: Promise<unknown>,
): Promise<AddressReason | "unresolvable" | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"unresolvable">((resolve) => {
    timer = setTimeout(resolve, VET_DEADLINE_MS, "unresolvable");
  });
  try {
    return await Promise.race([vetting.then(() => null), late]);
  } catch (error) {
    if (error instanceof NoSlot) return tooManyNames(error);
    return error instanceof BlockedAddress ? error.reason : "unresolvable";
  } finally {
    clearTimeout(timer);
  }
}

function refuse(pointer: string, found: readonly FoundFault[]): AppError {
  const faults = found.map((fault) => ({ pointer, ...fault }));
  return found.some(({ code }) => code === "invalid_url" || code === "too_long")
    ? new AppError("validation_failed", "The request is not valid.", { faults })
    : new AppError("webhook_url_blocked", found.map(({ detail }) => detail).join(" "), { faults });
}
