import { describe, expect, it } from "@jest/globals";

import { AttemptWindow } from "./window.ts";

function fill(window: AttemptWindow): void {
  while (window.room > 0) window.start();
}

describe("an endpoint's window", () => {
  it("starts at 8 and allows no more attempts than its size", () => {
    const window = new AttemptWindow();
    fill(window);
    expect(window.inFlight).toBe(8);
    expect(window.room).toBe(0);
  });

  it("is topped up when half of it is free", () => {
    const window = new AttemptWindow();
    fill(window);
    for (let n = 0; n < 3; n += 1) window.cancel();
    expect(window.room).toBe(0);
    window.cancel();
    expect(window.room).toBe(4);
  });

  it("grows to 64 while all of it is used", () => {
    const window = new AttemptWindow();
    for (let n = 0; n < 200; n += 1) {
      fill(window);
      window.end(false, n, n);
    }
    expect(window.size).toBe(64);
  });

  it("does not grow while little of it is used", () => {
    const window = new AttemptWindow();
    for (let n = 0; n < 200; n += 1) {
      window.start();
      window.end(false, n, n);
    }
    expect(window.size).toBe(8);
  });

  it("is halved once by the timeouts of one round, down to 1", () => {
    const window = new AttemptWindow();
    let at = 0;
    const sizes: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const startedMs = at;
      fill(window);
      at += 15_000;
      for (let left = window.inFlight; left > 0; left -= 1) window.end(true, startedMs, at);
      sizes.push(window.size);
    }
    expect(sizes).toEqual([4, 2, 1, 1, 1]);
    expect(window.room).toBe(1);
  });
});
