/** Where sealed values lie: a column of bytes, and beside it the id of the key that opens it. */
export interface SealedPlace {
  readonly table: string;
  readonly bytes: string;
  readonly keyId: string;
  /** The primary key. */
  readonly key: readonly { readonly column: string; readonly type: "uuid" | "text" }[];
  /** Stands before the key's values, all divided by slashes, in what a value is sealed to. */
  readonly kind?: string;
}

/** What a value of a place is sealed to, by the values of its row's key. */
export function sealedTo({ kind }: SealedPlace, key: readonly string[]): string {
  return [...(kind === undefined ? [] : [kind]), ...key].join("/");
}

/** All of them; a column that ends in `key_id` and has no place here fails a test. */
export const SEALED_PLACES: readonly SealedPlace[] = [
  {
    table: "webhooks.endpoints",
    bytes: "signing_secret",
    keyId: "secret_key_id",
    key: [{ column: "id", type: "uuid" }],
  },
  {
    table: "webhooks.endpoints",
    bytes: "previous_secret",
    keyId: "previous_secret_key_id",
    key: [{ column: "id", type: "uuid" }],
  },
  {
    table: "webhooks.account_secrets",
    bytes: "signing_secret",
    keyId: "secret_key_id",
    key: [{ column: "account_id", type: "uuid" }],
  },
  {
    table: "orders.requirements",
    bytes: "sealed_value",
    keyId: "sealed_key_id",
    key: [
      { column: "order_id", type: "uuid" },
      { column: "slug", type: "text" },
    ],
  },
  {
    table: "orders.numbers",
    bytes: "port_out_pin",
    keyId: "port_out_pin_key_id",
    key: [
      { column: "account_id", type: "uuid" },
      { column: "phone_number", type: "text" },
    ],
    kind: "port_out_pin",
  },
];
