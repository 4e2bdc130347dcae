import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../platform/db/transaction.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { notePinLocks } from "./on-carrier-result.ts";

const NOW = new Date("2026-03-02T10:00:00Z");

describe("numbers that wrong PINs have locked", () => {
  it("are counted, each once, when their audit rows are committed and not before", async () => {
    const metrics = createMetrics("test");
    const effects: (() => void)[] = [];
    const note = notePinLocks({ metrics }, (effect) => effects.push(effect));
    const tx = { query: () => Promise.resolve({ rows: [] }) } as unknown as Queryable;
    const locks = ["+12125550143", "+12125550144"].map((phone_number) => ({
      phone_number,
      pin_locked_until: NOW,
    }));
    await note(NOW)(tx, "019b76da-a800-7000-8000-000000000003", locks);
    const counted = async (): Promise<string> =>
      /^port_out_pin_locks_total\{[^}]*\} (\d+)$/m.exec((await metrics.page()).text)?.[1] ?? "";
    expect(await counted()).not.toBe("2");
    for (const effect of effects) effect();
    expect(await counted()).toBe("2");
  });
});
