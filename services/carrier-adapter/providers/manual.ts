import { CARRIER_WORD_KINDS } from "../../domain/order/carrier-word.ts";
import type { ProviderTable } from "./provider-table.ts";

/** Carriers that are reached by mail and phone: operators write down their words, our own kinds among them. */
export const MANUAL: ProviderTable = {
  words: new Map(CARRIER_WORD_KINDS.map((kind) => [kind, kind])),
  codes: new Map(),
};
