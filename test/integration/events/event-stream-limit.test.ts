/** @tier all */
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { call, textOf } from "../../support/http/call.ts";
import { readEventStream, type EventStreamReader } from "../../support/http/event-stream-reader.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

const PLACES = 5;

let product: OwnProduct;
let readers: EventStreamReader[] = [];

beforeAll(async () => {
  product = await startOwnProduct({ services: ["api", "api#2", "desk"] });
});

afterEach(() => {
  for (const reader of readers) reader.stop();
  readers = [];
});

async function newKey(): Promise<string> {
  const url = `${product.deskUrl}/desk/v1/accounts`;
  const body = { name: "reader" };
  return textOf(await call(url, { method: "POST", key: product.deskToken, body }), "api_key");
}

async function open(name: "api" | "api#2", key: string): Promise<EventStreamReader> {
  const url = `${product.supervisor.service(name).url()}/v2/porting/events/stream`;
  const reader = await readEventStream(url, { key });
  readers.push(reader);
  return reader;
}

const openReaders = (all: readonly EventStreamReader[]): EventStreamReader[] =>
  all.filter(({ status }) => status === 200);

/** Opens streams, half of them at each process; returns those that were accepted. */
async function race(key: string, count: number): Promise<EventStreamReader[]> {
  const all = await Promise.all(
    Array.from({ length: count }, (_, n) => open(n % 2 === 0 ? "api" : "api#2", key)),
  );
  expect(all.map(({ status }) => status).filter((status) => status !== 200)).toEqual(
    Array<number>(count - openReaders(all).length).fill(429),
  );
  return openReaders(all);
}

describe("an account's streams on two API processes", () => {
  it("are limited to five under concurrent attempts, and to five again when all have ended", async () => {
    const key = await newKey();
    for (let round = 0; round < 3; round += 1) {
      const admitted = await race(key, 50);
      expect(admitted).toHaveLength(PLACES);
      for (const reader of admitted) reader.stop();
      const [one] = await eventually(async () => {
        const opened = openReaders([await open("api#2", key)]);
        expect(opened).toHaveLength(1);
        return opened;
      });
      one?.stop();
      await eventually(async () => {
        const { databaseUrl } = product;
        const held = await withConnection(databaseUrl, (client) => client.query(HELD));
        expect(held.rows).toEqual([]);
      });
    }
  });

  it("are counted for each account separately", async () => {
    const keys = await Promise.all([newKey(), newKey()]);
    const all = await Promise.all(keys.map((key) => race(key, 10)));
    expect(all.map(({ length }) => length)).toEqual([PLACES, PLACES]);
  });

  it("free their slots when their process is killed, and no others", async () => {
    const key = await newKey();
    const here = await Promise.all([1, 2].map(() => open("api", key)));
    const there = await Promise.all([1, 2, 3].map(() => open("api#2", key)));
    expect(openReaders([...here, ...there])).toHaveLength(PLACES);
    expect((await open("api", key)).status).toBe(429);
    product.supervisor.service("api#2").program.kill("SIGKILL");
    await Promise.all(there.map(({ ended }) => ended));
    const again: EventStreamReader[] = [];
    await eventually(async () => {
      const one = await open("api", key);
      again.push(...openReaders([one]));
      expect(one.status).toBe(429);
    });
    expect(again).toHaveLength(there.length);
    await product.supervisor.whenReady();
  });

  it("free their slots when their process is frozen, and end when it wakes", async () => {
    const key = await newKey();
    const there = await Promise.all([1, 2, 3, 4, 5].map(() => open("api#2", key)));
    expect(openReaders(there)).toHaveLength(PLACES);
    const { program } = product.supervisor.service("api#2");
    program.pause();
    try {
      await eventually(async () => expect((await open("api", key)).status).toBe(200));
    } finally {
      program.resume();
    }
    await Promise.all(there.map(({ ended }) => ended));
  });

  it("end when the connection that holds their slots is lost, and can be opened again", async () => {
    const key = await newKey();
    const before = await Promise.all([1, 2, 3, 4, 5].map(() => open("api", key)));
    expect(openReaders(before)).toHaveLength(PLACES);
    await withConnection(product.databaseUrl, (client) => client.query(CUT));
    await Promise.all(before.map(({ ended }) => ended));
    expect(await race(key, 12)).toHaveLength(PLACES);
  });
});

const OF_PLACES = `from pg_stat_activity
  where application_name = 'api-locks' and datname = current_database()`;
const HELD = `select l.objid from pg_locks l
  where l.locktype = 'advisory' and l.granted and l.pid in (select pid ${OF_PLACES})`;
const CUT = `select pg_terminate_backend(pid) ${OF_PLACES}`;
