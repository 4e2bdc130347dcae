import type { CarrierWordKind } from "../domain/order/carrier-word.ts";
import { findExceptionCode } from "../domain/order/exception-catalogue.ts";
import type { CarrierUpdate } from "../messages/generated/carrier-update.ts";
import { MANUAL } from "./providers/manual.ts";
import type { ProviderTable } from "./providers/provider-table.ts";
import { SANDBOX } from "./providers/sandbox.ts";

const TABLES: ReadonlyMap<string, ProviderTable> = new Map([
  ["manual", MANUAL],
  ["sandbox", SANDBOX],
]);

/** Whether the provider is one that the service deals with. */
export function isKnownProvider(provider: string): boolean {
  return TABLES.has(provider);
}

/** The update's own kind, else what its provider's table makes of the raw word; null for a word that it does not know. */
export function kindOf({
  kind,
  provider,
  raw_status,
}: Pick<CarrierUpdate, "kind" | "provider" | "raw_status">): CarrierUpdate["kind"] {
  return kind ?? knownWord(provider, raw_status);
}

function knownWord(provider: string, rawStatus: string): CarrierWordKind | null {
  return TABLES.get(provider)?.words.get(rawStatus) ?? null;
}

/** Why a carrier says no: the canonical code, and the carrier's words where it used any. */
export interface CanonicalReason {
  readonly code: string | null;
  readonly text: string | null;
}

/** A raw code is itself where it is canonical, else what the provider's table says, else `other`. */
export function reasonOf({
  provider,
  rejection,
}: Pick<CarrierUpdate, "provider" | "rejection">): CanonicalReason {
  if (rejection === null) return { code: null, text: null };
  const { raw_code: rawCode, raw_text: rawText } = rejection;
  const isCanonical = findExceptionCode(rawCode).code === rawCode;
  const named = isCanonical ? rawCode : TABLES.get(provider)?.codes.get(rawCode);
  const { code } = findExceptionCode(named ?? null);
  // Without words, an unknown code is all that there is to show.
  return { code, text: rawText === "" && named === undefined ? rawCode : rawText };
}
