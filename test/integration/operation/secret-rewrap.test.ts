import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { linesOf, rotateSecrets } from "../../../infra/secrets/rotate-secrets.ts";
import { sealPin } from "../../../services/domain/number/rules/port-out-pin.ts";
import {
  countUnderOtherKeys,
  rewrapPlace,
  SEALED_PLACES,
  sealedTo,
  type SealedPlace,
} from "../../../infra/secrets/store/rewrap.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createSecretBox, keyIdOf } from "../../../services/platform/secret-box.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const [OLD_ID, NEW_ID] = [keyIdOf(OLD), keyIdOf(NEW)];
const STORED = 450;
const ACCOUNT_ID = newId(new Date());

let database: TestDatabase;
let pool: Pool;

function place(table: string): SealedPlace {
  const found = SEALED_PLACES.find((one) => one.table === table);
  if (found === undefined) throw new Error(`no place in ${table}`);
  return found;
}

const NUMBERS = place("orders.numbers");
const ACCOUNTS = place("webhooks.account_secrets");
const phoneNumber = (n: number): string => `+1212555${String(1_000 + n)}`;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPoolAt(database.url, { size: 2 });
  const box = createSecretBox([OLD]);
  const numbers = Array.from({ length: STORED }, (_, n) => phoneNumber(n));
  const pins = numbers.map((phone_number, n) => {
    const owner = { account_id: ACCOUNT_ID, phone_number };
    return sealPin(box, owner, String(1_000 + n)).bytes;
  });
  await queryRows(pool, {
    text: `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider,
        activated_at, port_out_pin, port_out_pin_key_id)
      select $1, u.number, 'active', 'US', 'local', 'sandbox', now(), u.pin, $2
      from unnest($3::text[], $4::bytea[]) u (number, pin)`,
    values: [ACCOUNT_ID, OLD_ID, numbers, pins],
  });
  const accounts = Array.from({ length: STORED }, () => newId(new Date()));
  await queryRows(pool, {
    text: `insert into webhooks.account_secrets (account_id, signing_secret, secret_key_id, created_at)
      select u.id, u.secret, $1, now() from unnest($2::uuid[], $3::bytea[]) u (id, secret)`,
    values: [OLD_ID, accounts, accounts.map((id) => box.seal(`whsec_${id}`, id).bytes)],
  });
});

async function openedNumbers(): Promise<string[]> {
  const rows = await queryRows<{ phone_number: string; bytes: Buffer; key_id: string }>(pool, {
    text: `select phone_number, port_out_pin as bytes, port_out_pin_key_id as key_id from orders.numbers
      where port_out_pin_key_id = $1 order by phone_number`,
    values: [NEW_ID],
  });
  const box = createSecretBox([NEW]);
  return rows.map(({ phone_number, bytes, key_id }) =>
    box.open({ bytes, keyId: key_id }, sealedTo(NUMBERS, [ACCOUNT_ID, phone_number])),
  );
}

describe("re-wrapping", () => {
  it("keeps its progress when it is interrupted, and continues from there", async () => {
    const box = createSecretBox([NEW, OLD]);
    let sealed = 0;
    const failing = {
      ...box,
      seal: (plain: string, aad: string) => {
        sealed += 1;
        if (sealed > 250) throw new Error("ended");
        return box.seal(plain, aad);
      },
    };
    const change = { box, currentId: NEW_ID, olderIds: [OLD_ID] };
    await expect(rewrapPlace(pool, NUMBERS, { ...change, box: failing })).rejects.toThrow("ended");
    expect(await countUnderOtherKeys(pool, NUMBERS, NEW_ID)).toEqual(new Map([[OLD_ID, 250]]));
    const rest = await rewrapPlace(pool, NUMBERS, change);
    expect(rest).toEqual({ rewrapped: 250, unreadable: 0 });
    const pins = Array.from({ length: STORED }, (_, n) => String(1_000 + n));
    expect(await openedNumbers()).toEqual(pins);
  });

  it("leaves values that it cannot open, reports them, and re-wraps all others", async () => {
    await queryRows(pool, {
      text: `update webhooks.account_secrets set signing_secret = set_byte(signing_secret, 40,
          (get_byte(signing_secret, 40) + 1) % 256)
        where account_id = (select account_id from webhooks.account_secrets order by account_id offset 7 limit 1)`,
    });
    const rotated = await rotateSecrets(pool, [NEW, OLD]);
    const secrets = rotated.places.find((one) => one.place === ACCOUNTS);
    expect(secrets).toMatchObject({ rewrapped: STORED - 1, unreadable: 1 });
    expect(secrets?.remaining).toEqual(new Map([[OLD_ID, 1]]));
    const lines = linesOf(rotated).join("\n");
    expect(lines).toContain("account_secrets.signing_secret: 449 re-wrapped, 1 remain");
    expect(lines).toContain("1 cannot be decrypted with their key");
    expect(lines).toContain("Not done");
  });
});
