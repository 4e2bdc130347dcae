import { describe, expect, it } from "@jest/globals";
import { toProblem } from "./http/problem.ts";
import { connectionsInUse, FairSlots, NoSlot, refusedAs } from "./fair-slots.ts";

const LIMITS = { total: 2, perOwner: 2, maxWaiting: 10, maxWaitMs: 60_000 };

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is asked to, and a record of what has begun. */
function setUp(limits: Partial<typeof LIMITS> = {}) {
  const slots = new FairSlots({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string): Promise<void> =>
    slots.run(name.charAt(0), () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string): Promise<void> => {
    await settled();
    ends.get(name)?.();
    await settled();
  };
  return { run, begun, end };
}

describe("fair slots", () => {
  it("let owners take turns, however much one of them waits for", async () => {
    const { run, begun, end } = setUp();
    const all = ["a1", "a2", "a3", "a4", "b1", "c1"].map(run);
    await end("a1");
    await end("a2");
    await end("a3");
    expect(begun).toEqual(["a1", "a2", "a3", "b1", "c1"]);
    for (const name of ["b1", "c1", "a4"]) await end(name);
    expect(begun).toHaveLength(6);
    await Promise.all(all);
  });

  it("give one owner no more than its share while slots are free", async () => {
    const { run, begun, end } = setUp({ total: 9, perOwner: 1 });
    const all = ["a1", "a2", "b1"].map(run);
    await end("");
    expect(begun).toEqual(["a1", "b1"]);
    for (const name of ["a1", "a2", "b1"]) await end(name);
    expect(begun).toEqual(["a1", "b1", "a2"]);
    await Promise.all(all);
  });

  it("refuse what waits too long, and what is one too many, without beginning it", async () => {
    const { run, begun, end } = setUp({ total: 1, maxWaiting: 1, maxWaitMs: 1 });
    const first = run("a1");
    const late = run("a2");
    await expect(run("a3")).rejects.toBeInstanceOf(NoSlot);
    await expect(late).rejects.toBeInstanceOf(NoSlot);
    await end("a1");
    await first;
    const next = run("a4");
    await end("a4");
    await next;
    expect(begun).toEqual(["a1", "a4"]);
  });

  it("free the slot of work that fails", async () => {
    const slots = new FairSlots({ ...LIMITS, total: 1 });
    await expect(slots.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow(
      "broken",
    );
    await expect(slots.run("a", () => Promise.resolve(1))).resolves.toBe(1);
  });
});

describe("refusedAs", () => {
  const answerTo = (error: unknown, refuse: (error: unknown) => never) =>
    Promise.reject(error as Error)
      .catch(refuse)
      .catch((refused: unknown) => toProblem(refused, "id"));

  it("makes work that was not begun a 429 with its detail, to be tried again after a second", async () => {
    expect(await answerTo(new NoSlot(), refusedAs("Too many."))).toMatchObject({
      status: 429,
      headers: { "Retry-After": "1" },
      body: { code: "rate_limited", detail: "Too many." },
    });
  });

  it("takes another time to wait, and leaves other errors as they are", async () => {
    const later = refusedAs("Too many.", 5);
    const headers = { "Retry-After": "5" };
    expect(await answerTo(new NoSlot(), later)).toMatchObject({ headers });
    expect(await answerTo(new Error("broken"), later)).toMatchObject({ status: 500 });
  });

  it("report whether an owner would wait, and how much work does", async () => {
    const slots = new FairSlots({ ...LIMITS, total: Infinity, perOwner: 1 });
    await slots.enter("orders");
    expect([slots.hasRoom("orders"), slots.hasRoom("endpoints")]).toEqual([false, true]);
    const waiting = slots.enter("orders");
    expect(slots.waitingCount).toBe(1);
    slots.leave("orders");
    await waiting;
    expect(slots.waitingCount).toBe(0);
    slots.leave("orders");
    expect(slots.hasRoom("orders")).toBe(true);
  });

  it("of connections refuse as a database that is away for a moment", async () => {
    const slots = new FairSlots({ ...LIMITS, total: 1, maxWaitMs: 1 });
    await slots.enter("orders");
    const late = slots.run("orders", () => Promise.resolve()).catch(connectionsInUse("orders"));
    await expect(late).rejects.toMatchObject({
      code: "database_unavailable",
      message: "All connections for orders are in use.",
      retryable: true,
    });
  });
});
