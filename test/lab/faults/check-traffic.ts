import type { DriverRecord } from "./driver-record.ts";

export interface LoggedTraffic {
  readonly calls: ReadonlyMap<string, number>;
  readonly portedOut: ReadonlyMap<string, number>;
}

/** Every acknowledged call and every number that was ported out is in the log exactly once. */
export function trafficLoggedOnce(
  record: DriverRecord,
  { calls, portedOut }: LoggedTraffic,
): string[] {
  const wrong = (what: string, wanted: ReadonlySet<string>, logged: ReadonlyMap<string, number>) =>
    [...wanted]
      .filter((one) => logged.get(one) !== 1)
      .map((one) => `${what} ${one} is logged ${logged.get(one) ?? 0} times`);
  const twice = [...calls, ...portedOut].filter(([, times]) => times > 1);
  return [
    ...wrong("call", record.calls, calls),
    ...wrong("port-out of", record.portOuts, portedOut),
    ...twice.map(([what, times]) => `${what} is logged ${times} times`),
  ];
}
