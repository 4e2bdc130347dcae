import { describe, expect, it } from "@jest/globals";
import { parseWorkingHours } from "./parse-working-hours.ts";

const read = (text: string): string[] =>
  parseWorkingHours(text).map(({ weekday, from, to }) => `${weekday} ${from}-${to}`);

describe("the hours of an office", () => {
  it("are days with spans", () => {
    expect(read("Mon-Fri 08:00-18:00")).toEqual([1, 2, 3, 4, 5].map((day) => `${day} 480-1080`));
    expect(read("Sat 09:30-12:00, Fri 13:00-24:00,Fri 08:00-12:00")).toEqual([
      "5 480-720",
      "5 780-1440",
      "6 570-720",
    ]);
  });

  it("may run over the end of the week, and be every hour of it", () => {
    expect(read("Sat-Mon 10:00-11:00")).toEqual(["1 600-660", "6 600-660", "7 600-660"]);
    expect(read("Mon-Sun 00:00-24:00")).toHaveLength(7);
  });

  it.each([
    ["", "expected days"],
    ["Mon-Fri", "expected days"],
    ["mon-fri 08:00-18:00", "expected days"],
    ["Mon 8:00-18:00", "expected days"],
    ["Mon 08:00-24:01", "expected days"],
    ["Mon 08:60-18:00", "expected days"],
    ["Mon 08:00-18:00,", "expected days"],
    ["Mon 18:00-08:00", "must end after"],
    ["Mon 08:00-08:00", "must end after"],
    ["Mon-Wed 08:00-12:00, Tue 11:00-13:00", "the hours of Tue overlap"],
  ])("are not %j: %s", (text, message) => {
    expect(() => parseWorkingHours(text)).toThrow(message);
  });
});
