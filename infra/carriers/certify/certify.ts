import { CertifyFailure, CertifySkip } from "./certify-failure.ts";
import type { Kit } from "./kit.ts";
import { SCENARIOS, type Played, type Scenario } from "./scenarios.ts";

export interface ScenarioResult {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly detail: string;
}

/** Plays every scenario in order, and reports each as soon as it is over; true if none failed. */
export async function certify(kit: Kit, report: (line: string) => void): Promise<boolean> {
  const played: Played = {};
  const results: ScenarioResult[] = [];
  for (const scenario of SCENARIOS) {
    const result = await playOne(scenario, kit, played);
    report(`${result.state.padEnd(8)}${result.name.padEnd(11)}${result.detail}`);
    results.push(result);
  }
  const count = (state: ScenarioResult["state"]): number =>
    results.filter((one) => one.state === state).length;
  report(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  return count("failed") === 0;
}

async function playOne(
  { name, play }: Scenario,
  kit: Kit,
  played: Played,
): Promise<ScenarioResult> {
  try {
    return { name, state: "passed", detail: await play(kit, played) };
  } catch (error) {
    if (error instanceof CertifySkip) return { name, state: "skipped", detail: error.message };
    if (error instanceof CertifyFailure) {
      const delay = await kit.serviceDelay();
      const detail = delay === null ? error.message : `${error.message}. ${delay}`;
      return { name, state: "failed", detail };
    }
    throw error;
  }
}
