import type { DriverRecord } from "./driver-record.ts";

export interface ToldTraffic {
  readonly calls: ReadonlyMap<string, number>;
  readonly portedOut: ReadonlyMap<string, number>;
}

/** Every call and every number that left, of which an answer told, is in the log exactly once. */
export function trafficToldOnce(record: DriverRecord, { calls, portedOut }: ToldTraffic): string[] {
  const wrong = (what: string, wanted: ReadonlySet<string>, told: ReadonlyMap<string, number>) =>
    [...wanted]
      .filter((one) => told.get(one) !== 1)
      .map((one) => `${what} ${one} is told ${told.get(one) ?? 0} times`);
  const twice = [...calls, ...portedOut].filter(([, times]) => times > 1);
  return [
    ...wrong("call", record.calls, calls),
    ...wrong("leaving of", record.portOuts, portedOut),
    ...twice.map(([what, times]) => `${what} is told ${times} times`),
  ];
}
