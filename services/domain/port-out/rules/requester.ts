import type { Sealed, SecretBox } from "../../../platform/secret-box.ts";

/** What a gaining carrier states of its order and its customer, by which a port-out can be decided. */
export interface Requester {
  /** The carrier's order number, and its id among providers. */
  readonly pon: string | null;
  readonly spid: string | null;
  readonly account_number: string | null;
  readonly postal_code: string | null;
  readonly subscriber_name: string | null;
  readonly service_address: string | null;
  readonly authorized_name: string | null;
}

/** A carrier's own reference for a port-out. */
export interface PortOutRef {
  readonly provider: string;
  readonly port_out_ref: string;
}

export const NOTHING_STATED: Requester = {
  pon: null,
  spid: null,
  account_number: null,
  postal_code: null,
  subscriber_name: null,
  service_address: null,
  authorized_name: null,
};

export const REQUESTER_FIELDS = Object.keys(NOTHING_STATED) as readonly (keyof Requester)[];

type Given = { readonly [K in keyof Requester]?: string | null | undefined };

/** What is stated; null where nothing is. */
export function requesterOf(given: Given): Requester | null {
  const stated = REQUESTER_FIELDS.map((name) => [name, given[name] ?? null] as const);
  if (stated.every(([, value]) => value === null)) return null;
  return { ...NOTHING_STATED, ...Object.fromEntries(stated) };
}

const aadOf = ({ provider, port_out_ref }: PortOutRef): string =>
  `port_out_requester/${provider}/${port_out_ref}`;

export function sealRequester(box: SecretBox, ref: PortOutRef, requester: Requester): Sealed {
  return box.seal(JSON.stringify(requester), aadOf(ref));
}

const SHOWN_END = 4;

/** As the APIs show it: of the account number, the last four characters. */
export function openRequester(box: SecretBox, ref: PortOutRef, sealed: Sealed): Requester {
  const opened = JSON.parse(box.open(sealed, aadOf(ref))) as Requester;
  const { account_number: number } = opened;
  if (number === null) return opened;
  const shown = number.length > SHOWN_END ? number.slice(-SHOWN_END) : "";
  return { ...opened, account_number: `****${shown}` };
}
