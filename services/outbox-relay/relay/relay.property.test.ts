import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { RelayModel, type Death } from "../../../test/support/relay/relay-model.ts";

const TOPICS = ["orders", "carriers"] as const;
const topic = fc.constantFrom(...TOPICS);
const key = fc.constantFrom("a", "b", "c");

type Act =
  | { readonly act: "commit"; readonly keys: readonly string[]; readonly topic: string }
  /** Two transactions, of which the one with the lower ids is committed second. */
  | { readonly act: "cross"; readonly topic: string; readonly rows: number }
  /** In the log before snapshots show it. */
  | { readonly act: "ahead"; readonly key: string; readonly topic: string; readonly turns: number }
  | { readonly act: "impossible"; readonly key: string; readonly topic: string }
  | { readonly act: "refuse" | "accept"; readonly topic: string }
  | { readonly act: "away" | "back" | "lose" | "again" }
  | { readonly act: "kill"; readonly death: Death };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("commit" as const),
      keys: fc.array(key, { minLength: 1, maxLength: 5 }),
      topic,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("cross" as const),
      topic,
      rows: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("ahead" as const),
      key,
      topic,
      turns: fc.integer({ min: 1, max: 400 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("impossible" as const), key, topic }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom("refuse" as const, "accept" as const), topic }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom("away" as const, "back" as const, "lose" as const, "again" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("kill" as const),
      death: fc.record({ effects: fc.integer({ min: 1, max: 30 }), isAfter: fc.boolean() }),
    }),
  },
);

function perform(model: RelayModel, one: Act): void {
  switch (one.act) {
    case "commit":
      model.commit(one.keys.map((name) => model.draw(name, one.topic)));
      return;
    case "cross": {
      const first = model.draw("x", one.topic);
      model.commit(Array.from({ length: one.rows }, () => model.draw("y", one.topic)));
      model.commit([first]);
      return;
    }
    case "ahead":
      model.commit([model.draw(one.key, one.topic)], one.turns);
      return;
    case "impossible": {
      const message = model.draw(one.key, one.topic);
      model.impossible.add(message.id);
      model.commit([message, model.draw(one.key, one.topic)]);
      return;
    }
    case "refuse":
      model.refused.add(one.topic);
      return;
    case "accept":
      model.refused.delete(one.topic);
      return;
    case "away":
    case "back":
      model.isKafkaAway = one.act === "away";
      return;
    case "lose":
      model.loseSlot();
      return;
    case "again": {
      const sent = model.table.find(({ id }) => model.places.get(id) != null);
      if (sent !== undefined) model.askAgain(sent);
      return;
    }
    case "kill":
      model.killAfter(one.death);
  }
}

/** The ids of a key on a topic, in the order in which each came first. */
function firsts(model: RelayModel, of: { readonly topic: string; readonly key: string }): number[] {
  const ids = model.onKafka.filter((one) => one.topic === of.topic && one.key === of.key);
  return [...new Set(ids.map(({ id }) => id))];
}

async function after(acts: readonly { readonly one: Act; readonly turns: number }[]) {
  const model = new RelayModel();
  for (const { one, turns } of acts) {
    perform(model, one);
    await model.run(turns);
  }
  await model.settle();
  return model;
}

describe("the relay, killed after any effect, with topics refused, Kafka away and slots lost,", () => {
  it("loses no message, sends none before its transaction is shown, keeps the order of each key, and sets aside what cannot be sent", async () => {
    const acts = fc.array(fc.record({ one: act, turns: fc.integer({ min: 0, max: 60 }) }), {
      minLength: 1,
      maxLength: 14,
    });
    await fc.assert(
      fc.asyncProperty(acts, async (performed) => {
        const model = await after(performed);
        const sent = new Set(model.onKafka.map(({ id }) => id));
        const ids = model.table.map(({ id }) => id);
        expect(ids.filter((id) => !sent.has(id))).toEqual([...model.impossible]);
        expect(model.letters).toEqual(model.impossible);
        expect(ids.filter((id) => !model.places.has(id))).toEqual([]);
        expect(model.onKafka.filter(({ isShown }) => !isShown)).toEqual([]);
        for (const name of ["a", "b", "c", "x", "y"]) {
          for (const of of TOPICS) {
            const came = firsts(model, { topic: of, key: name });
            expect(came).toEqual([...came].sort((one, other) => one - other));
          }
        }
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});

describe("the end of a deferral", () => {
  // The note was removed by a snapshot older than what the log had reported, and a later message of the key was sent first.
  it("waits until the table shows what the log has reported", async () => {
    const model = new RelayModel();
    const write = (turns = 0): void => model.commit([model.draw("a", "orders")], turns);
    model.refused.add("orders");
    write();
    await model.run(50);
    expect([...model.notes.keys()]).toEqual(["orders"]);
    write(500);
    await model.run(20);
    model.refused.delete("orders");
    await model.run(400);
    write();
    await model.settle();
    expect(firsts(model, { topic: "orders", key: "a" })).toEqual([1, 2, 3]);
  });
});
