import { AppError } from "../errors.ts";
import { NoSlot, refusedAs } from "../fair-slots.ts";
import type { Preparing } from "../preparing.ts";
import type { AddressPolicy, AddressReason } from "./address-policy.ts";
import { createNameResolver, type Resolve } from "./name-resolver.ts";
import { findUrlFault } from "./url-rules.ts";
import { BlockedAddress, vetHost } from "./vet-host.ts";

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
    const fault = findUrlFault(url, { allowHttp });
    if (fault !== null) throw refuse(pointer, fault.code, fault.detail);
    const { hostname } = new URL(url);
    const refusal = await findHostRefusal(vetHost(hostname, { policy, resolve, owner }));
    if (refusal === null) return;
    if (refusal === "unresolvable") {
      throw refuse(pointer, refusal, "Its host could not be resolved.");
    }
    throw refuse(
      pointer,
      "blocked_address",
      `Its host has a ${REASONS[refusal]} address; it must have only public addresses.`,
    );
  };
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

function refuse(pointer: string, code: string, detail: string): AppError {
  const isForm = code === "invalid_url" || code === "too_long";
  return isForm
    ? new AppError("validation_failed", "The request is not valid.", {
        faults: [{ pointer, code, detail }],
      })
    : new AppError("webhook_url_blocked", detail, { faults: [{ pointer, code, detail }] });
}
