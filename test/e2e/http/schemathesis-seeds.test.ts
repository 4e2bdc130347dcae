/** @tier nightly @needs python3 */
import { beforeAll, describe, it } from "@jest/globals";
import {
  expectSound,
  expectWalkable,
  openSchemathesis,
  type Schemathesis,
} from "../../support/openapi/schemathesis-checks.ts";

const DEADLINE_MS = 900_000;
const EACH = ["examples", "coverage", "fuzzing"] as const;

let schemathesis: Schemathesis;

beforeAll(async () => {
  schemathesis = await openSchemathesis();
}, DEADLINE_MS);

describe("Schemathesis with all its checks", () => {
  // Walks come first, because fuzzing closes the orders that they need; the desk's come later, because they suspend
  // accounts.
  it(
    "finds no fault when it follows links of the customers' API",
    async () => {
      const walk = { seeds: 4, operations: 15, links: 15 };
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
    "finds no fault when it follows links of the desk's API",
    async () => {
      const walk = { seeds: 4, operations: 12, links: 2 };
      await expectWalkable(schemathesis, schemathesis.desk, walk);
    },
    DEADLINE_MS,
  );

  it(
    "finds no fault in the desk's API",
    async () => expectSound(schemathesis, schemathesis.desk, EACH),
    DEADLINE_MS,
  );
});
