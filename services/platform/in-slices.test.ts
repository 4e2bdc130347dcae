import { expect, it } from "@jest/globals";
import { inSlices } from "./in-slices.ts";

it("maps in order, and gives others their turn between slices", async () => {
  let turns = 0;
  const turnAt: number[] = [];
  let isOver = false;
  const others = (): void => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const mapped = await inSlices(["a", "b", "c", "d", "e", "f", "g"], 3, (letter, n) => {
    turnAt.push(turns);
    return `${letter}${n}`;
  });
  isOver = true;
  expect(mapped).toEqual(["a0", "b1", "c2", "d3", "e4", "f5", "g6"]);
  expect(turnAt).toEqual([0, 0, 0, 1, 1, 1, 2]);
});
