import { describe, expect, it } from "@jest/globals";

import { AttemptWindow } from "./window.ts";

function fill(window: AttemptWindow): void {
  while (window.room > 0) window.start();
}

/** To its most. */
function grow(window: AttemptWindow): void {
  while (window.size < 64) {
    fill(window);
    window.end(false, 0);
  }
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
      window.end(false, n);
    }
    expect(window.size).toBe(64);
  });

  it("does not grow while little of it is used", () => {
    const window = new AttemptWindow();
    for (let n = 0; n < 200; n += 1) {
      window.start();
      window.end(false, n);
    }
    expect(window.size).toBe(8);
  });

  it("shrinks to what it began with while nothing is sent", () => {
    let now = 0;
    const window = new AttemptWindow(() => now);
    grow(window);
    while (window.inFlight > 0) window.end(false, now);
    const rooms = [500, 1_500, 2_500, 60_000].map((at) => {
      now = at;
      return window.room;
    });
    expect(rooms).toEqual([64, 32, 16, 8]);
    fill(window);
    expect([window.inFlight, window.size]).toEqual([8, 8]);
  });

  it("shrinks to what it began with while little of it is used", () => {
    let now = 0;
    const window = new AttemptWindow(() => now);
    grow(window);
    while (window.inFlight > 0) window.end(false, now);
    const sizes = Array.from({ length: 8 }, () => {
      now += 500;
      for (let n = 0; n < 4; n += 1) window.start();
      for (let n = 0; n < 4; n += 1) window.end(false, now);
      return window.size;
    });
    expect(sizes).toEqual([64, 64, 64, 32, 32, 16, 16, 8]);
  });

  it("stays as large as it is while more than half of it is used", () => {
    let now = 0;
    const window = new AttemptWindow(() => now);
    grow(window);
    for (let second = 0; second < 10; second += 1) {
      now += 1_100;
      while (window.inFlight > 0) window.end(false, now);
      for (let n = 0; n < 33; n += 1) window.start();
    }
    expect(window.size).toBe(64);
  });

  it("allows half as many attempts with each second without an answer, until one comes", () => {
    let now = 0;
    const window = new AttemptWindow(() => now);
    grow(window);
    while (window.inFlight > 2) window.end(false, now);
    const rooms = [900, 1_000, 2_000, 4_000, 9_000].map((at) => {
      now = at;
      return window.room;
    });
    expect(rooms).toEqual([62, 30, 14, 2, 0]);
    window.end(false, now);
    expect(window.room).toBe(63);
  });

  it("is halved once by the timeouts of one round, down to 1", () => {
    let at = 0;
    const window = new AttemptWindow(() => at);
    const sizes: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const startedMs = at;
      fill(window);
      at += 15_000;
      for (let left = window.inFlight; left > 0; left -= 1) window.end(true, startedMs);
      sizes.push(window.size);
    }
    expect(sizes).toEqual([4, 2, 1, 1, 1]);
    expect(window.room).toBe(1);
  });
});
