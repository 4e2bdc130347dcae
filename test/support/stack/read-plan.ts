import { z } from "zod";

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string | undefined;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    "Rows Removed by Filter": z.number().optional(),
    Plans: z.array(planNode).optional(),
  }),
);

const explained = z.object({
  "QUERY PLAN": z.array(z.object({ Plan: planNode })),
});

export interface ReadPlan {
  /** Rows that the scans read, including those that a filter removed. */
  readonly rowsRead: number;
  readonly largestSort: number;
  readonly relations: ReadonlySet<string>;
  /** Non-empty relations that were read by a sequential scan. */
  readonly readWhole: readonly string[];
}

/** Summarizes a row of `explain (analyze, format json)` for relations whose name begins with `relation`. */
export function readPlan(row: unknown, relation: string): ReadPlan {
  const [first] = explained.parse(row)["QUERY PLAN"];
  const nodes = first === undefined ? [] : allNodes(first.Plan);
  const scans = nodes.filter((node) => node["Relation Name"]?.startsWith(relation));
  return {
    rowsRead: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    largestSort: Math.max(
      0,
      ...nodes.filter((node) => node["Node Type"] === "Sort").map((node) => node["Actual Rows"]),
    ),
    relations: new Set(scans.flatMap((node) => node["Relation Name"] ?? [])),
    readWhole: scans
      .filter((node) => node["Node Type"] === "Seq Scan" && rowsOf(node) > 0)
      .map((node) => node["Relation Name"] ?? ""),
  };
}

function allNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

function rowsOf(node: PlanNode): number {
  return (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
}
