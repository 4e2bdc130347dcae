import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  ANSWER_MARGIN_MS,
  createPool,
  type DividedPool,
} from "../../../services/platform/db/pool.ts";
import {
  inOpenTransaction,
  inTransaction,
  queryRows,
} from "../../../services/platform/db/transaction.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { FaultProxy } from "../../support/net/fault-proxy.ts";
import { createTestDatabase } from "../../support/stack/test-stack.ts";

const STATEMENT_TIMEOUT_MS = 500;
const DEADLINE_MS = STATEMENT_TIMEOUT_MS + ANSWER_MARGIN_MS;
/** Less than a second deadline, which a rollback on the same connection would wait for. */
const SOON_MS = DEADLINE_MS + 1_000;

let link: FaultProxy;
let pool: DividedPool;

beforeAll(async () => {
  const url = new URL((await createTestDatabase()).url);
  const port = Number(url.port);
  link = await FaultProxy.start(() => port);
  url.port = String(link.port);
  pool = createPool({
    url: url.href,
    service: "test",
    size: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    log: createLogger("test", "silent"),
  });
  endAfterTests(() => pool.end());
});

const ask = { text: "select 1 as one" };

// Only the server limited a statement's time, so that a request waited for as long as the link was silent.
describe("a database whose answers no longer arrive", () => {
  it.each([
    ["a statement", () => queryRows(pool, ask)],
    ["a transaction", () => inTransaction(pool, (tx) => queryRows(tx, ask))],
    ["a transaction of a request", () => inOpenTransaction(pool, (tx) => queryRows(tx, ask))],
  ])(
    "fails %s as a transient fault at its deadline, and works again when they do",
    async (_, run) => {
      await run();
      link.suffer({ silent: true, directions: ["down"] });
      const startedAt = performance.now();
      await expect(run()).rejects.toMatchObject({ code: "database_unavailable", retryable: true });
      expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
      link.heal();
      expect(await queryRows(pool, ask)).toEqual([{ one: 1 }]);
    },
  );
});
