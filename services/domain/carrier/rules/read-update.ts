import type { StatusUpdateKind } from "../../order/rules/status-update.ts";
import { findExceptionCode } from "../../order/rules/exception-catalogue.ts";
import type { CarrierUpdate } from "../../../messages/generated/carrier-update.ts";
import type { Providers } from "./provider.ts";

/** The update's own kind, else what its provider's table makes of the raw word; null for a word that it does not know. */
export function kindOf(
  providers: Providers,
  { kind, provider, raw_status }: Pick<CarrierUpdate, "kind" | "provider" | "raw_status">,
): CarrierUpdate["kind"] {
  return kind ?? kindOfStatus(providers, provider, raw_status);
}

function kindOfStatus(
  providers: Providers,
  provider: string,
  rawStatus: string,
): StatusUpdateKind | null {
  return providers.get(provider)?.statuses.get(rawStatus) ?? null;
}

/** Why a carrier says no: the canonical code, and its own text where it sent any. */
export interface CanonicalReason {
  readonly code: string | null;
  readonly text: string | null;
}

/** A raw code is itself where it is canonical, else what the provider's table says, else `other`. */
export function reasonOf(
  providers: Providers,
  { provider, rejection }: Pick<CarrierUpdate, "provider" | "rejection">,
): CanonicalReason {
  if (rejection === null) return { code: null, text: null };
  const { raw_code: rawCode, raw_text: rawText } = rejection;
  const isCanonical = findExceptionCode(rawCode).code === rawCode;
  const named = isCanonical ? rawCode : providers.get(provider)?.codes.get(rawCode);
  const { code } = findExceptionCode(named ?? null);
  // Without a text, an unknown code is all that there is to show.
  return { code, text: rawText === "" && named === undefined ? rawCode : rawText };
}
