/** @tier all @needs python3 */
import { beforeAll, describe, it } from "@jest/globals";
import {
  expectSound,
  expectWalkable,
  openSchemathesis,
  type Schemathesis,
} from "../../support/openapi/schemathesis-checks.ts";

const DEADLINE_MS = 300_000;
/** What the documents promise, without the random requests of the nightly runs. */
const EACH = ["examples", "coverage"] as const;

let schemathesis: Schemathesis;

beforeAll(async () => {
  schemathesis = await openSchemathesis();
});

describe("Schemathesis with all its checks, in short", () => {
  it(
    "finds no fault when it follows links of the customers' API",
    async () => {
      const walk = { seeds: 1, operations: 8, links: 1 };
      await expectWalkable(schemathesis, schemathesis.customers, walk);
    },
    DEADLINE_MS,
  );

  it(
    "finds no fault in the customers' API",
    async () => expectSound(schemathesis, schemathesis.customers, EACH),
    DEADLINE_MS,
  );

  it(
    "finds no fault in the desk's API",
    async () => expectSound(schemathesis, schemathesis.desk, EACH),
    DEADLINE_MS,
  );
});
