import type { Providers } from "../../domain/carrier/rules/provider.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import {
  countOpenOrders,
  countRejections,
  readLastWords,
  readOrdersToCall,
  type OrderToCall,
  type Party,
} from "./store/carrier-figures.ts";
import { callReason, providersByHand } from "./why-call.ts";

export interface FiguresRequest {
  readonly party: Party;
  readonly names: readonly string[];
  readonly providers: Providers;
  readonly now: Date;
}

/** How the orders of each party stand, in four statements for all of them; by name, a carrier's in lower case. */
export async function readFigures(
  db: Queryable,
  { party, names, providers, now }: FiguresRequest,
): Promise<(name: string) => Figures> {
  const byHand = providersByHand(providers);
  const [words, open, rejections, calls] = await Promise.all([
    readLastWords(db, party, names),
    countOpenOrders(db, party),
    countRejections(db, party, now),
    readOrdersToCall(db, party, { byHand, now }),
  ]);
  return (name) => {
    const ofParty = (one: { readonly party: string }): boolean => one.party === name;
    const word = words.find(ofParty);
    const ownCalls = calls.filter(ofParty);
    return {
      last_word:
        word === undefined ? null : { at: word.at, porting_order_id: word.porting_order_id },
      open_orders: open.find(ofParty)?.count ?? 0,
      rejections: rejections.filter(ofParty).map(({ code, count }) => ({ code, count })),
      orders_to_call_count: ownCalls[0]?.count ?? 0,
      orders_to_call: ownCalls.map(presentCall),
    };
  };
}

export interface Figures {
  readonly last_word: { readonly at: Date; readonly porting_order_id: string | null } | null;
  readonly open_orders: number;
  readonly rejections: readonly { readonly code: string | null; readonly count: number }[];
  readonly orders_to_call_count: number;
  readonly orders_to_call: readonly ReturnType<typeof presentCall>[];
}

function presentCall(order: OrderToCall) {
  const { id, account, status, provider, losing_carrier, customer_reference } = order;
  const { first_number, numbers_count, foc_actual, waiting_since } = order;
  return {
    ...{ id, account, status, provider, losing_carrier, customer_reference },
    ...{ first_number, numbers_count, foc_actual, waiting_since },
    reason: order.alert ?? callReason(status),
  };
}
