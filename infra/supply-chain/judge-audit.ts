import { z } from "zod";

/** What a check's output says: `not checked` where nothing could be found out. */
export interface Verdict {
  readonly outcome: "passed" | "failed" | "not checked";
  /** For the line that is printed; empty where there is nothing to say. */
  readonly detail: string;
}

const SEVERE: readonly string[] = ["high", "critical"];

const auditReport = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(
    z.string(),
    z.object({ severity: z.string(), range: z.string(), nodes: z.array(z.string()) }),
  ),
});

const auditFailure = z.object({ message: z.string() });

/**
 * Judges what `npm audit --json` printed by the folders of the packages that are shipped: a high or critical
 * advisory fails, a lesser one is named, and a registry that does not answer leaves it unchecked.
 */
export function judgeAudit(stdout: string, shipped: ReadonlySet<string>): Verdict {
  const json = parsed(stdout);
  const report = auditReport.safeParse(json);
  if (!report.success) {
    const { data } = auditFailure.safeParse(json);
    const reason = data?.message ?? "npm audit printed no report";
    return { outcome: "not checked", detail: reason };
  }
  const found = Object.entries(report.data.vulnerabilities).filter(([, { nodes }]) =>
    nodes.some((node) => shipped.has(node)),
  );
  const lines = found.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`);
  const isSevere = found.some(([, { severity }]) => SEVERE.includes(severity));
  return { outcome: isSevere ? "failed" : "passed", detail: lines.join("; ") };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
