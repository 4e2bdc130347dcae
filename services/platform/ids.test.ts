import { expect, it } from "@jest/globals";
import { newId, newIds, timeOfId } from "./ids.ts";

const AT = new Date("2026-11-24T06:00:00.000Z");

it("ids of one millisecond sort as they are drawn, one by one or together", () => {
  const drawn = [...Array.from({ length: 500 }, () => newId(AT)), ...newIds(AT, 500)];
  expect(drawn.toSorted()).toEqual(drawn);
  expect(new Set(drawn).size).toBe(1_000);
  expect(drawn.every((id) => timeOfId(id).getTime() === AT.getTime())).toBe(true);
});

it("ids of different times sort by their times", () => {
  const later = new Date(AT.getTime() + 1);
  const drawn = [newId(later), newId(AT), newId(later)];
  expect(drawn.map((id) => timeOfId(id))).toEqual([later, AT, later]);
});
