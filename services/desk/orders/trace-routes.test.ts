import { describe, expect, it } from "@jest/globals";
import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { TraceRow } from "./store/trace.ts";
import { nameInTrace } from "./trace-routes.ts";

const ADA = "01a19b7c-a687-7195-84b0-00000000000a";
const BEA = "01a19b7c-a687-7195-84b0-00000000000b";
const STEP: TraceRow = {
  at: new Date("2026-11-02T09:00:00.000Z"),
  rank: 1,
  key: "1",
  name: "status",
  actor: null,
  request_id: null,
  message_id: null,
  traceparent: null,
  event_id: null,
  delivery_id: null,
  topic: null,
  partition: null,
  offset: null,
  consumer: null,
  state: null,
  value: null,
  raw: null,
  sealed_key_id: null,
};

/** Answers with two operators, and keeps the ids that it is asked for. */
function operators(asked: unknown[]): Queryable {
  const rows = [
    { id: ADA, name: "Ada Lovelace" },
    { id: BEA, name: "Beatrice Worsley" },
  ];
  return {
    query: <R extends QueryResultRow>({ values }: QueryConfig) => {
      asked.push(values?.[0]);
      const result = { rows: rows as unknown as R[], rowCount: 2, command: "", oid: 0, fields: [] };
      return Promise.resolve<QueryResult<R>>(result);
    },
  };
}

describe("the persons of a trace's page", () => {
  it("are asked for together, those who acted and those who claimed", async () => {
    const asked: unknown[] = [];
    const audited = { id: BEA, name: "Beatrice Worsley as she was called then" };
    const rows: TraceRow[] = [
      { ...STEP, actor: { type: "desk", id: ADA, name: null } },
      {
        ...STEP,
        rank: 0,
        actor: { type: "desk", ...audited },
        value: { before: null, after: { claimed_by: BEA } },
      },
    ];
    const named = await nameInTrace(operators(asked), rows);
    expect(asked).toEqual([[ADA, BEA]]);
    expect(named.map(({ actor, value }) => ({ actor, value }))).toEqual([
      { actor: { type: "desk", id: ADA, name: "Ada Lovelace" }, value: null },
      {
        actor: { type: "desk", ...audited },
        value: { before: null, after: { claimed_by: { id: BEA, name: "Beatrice Worsley" } } },
      },
    ]);
  });
});
