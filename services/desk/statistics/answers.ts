import { z } from "zod";
import { timeText } from "../../platform/http/routing/answer-fields.ts";
import { statusCount } from "../accounts/answers.ts";
import { personAnswer } from "../operators/answers.ts";

const seconds = (what: string) => z.number().nullable().describe(`${what}; null without cases`);

export const operatorStatistics = z
  .object({
    operator: personAnswer,
    decided: z.int().describe("Cases that the operator closed in the range"),
    confirmed: z.int().describe("Those sent on to the carrier"),
    rejected: z.int().describe("Those returned to the customer"),
    median_seconds: seconds("From submission to the operator's closing decision, the median"),
  })
  .meta({ id: "OperatorStatistics", description: "The cases that one operator closed" });

export const rejectionStatistics = z
  .object({
    slug: z.string().meta({
      description: "The requirement that was rejected",
      examples: ["account_number"],
    }),
    code: z
      .string()
      .nullable()
      .meta({ examples: ["account_number_mismatch"] })
      .describe("Null where the operator gave a reason without a code"),
    count: z.int().describe("How often it was rejected so in the range"),
  })
  .meta({ id: "RejectionStatistics", description: "How often one requirement was rejected" });

export const trendStatistics = z
  .object({
    from: timeText("When the step begins"),
    to: timeText("When the next begins"),
    decided: z.int().describe("Cases closed in it"),
    confirmed: z.int().describe("Those sent on to the carrier"),
    rejected: z.int().describe("Those returned to the customer"),
    decided_late: z.int().describe("Those closed after they were due"),
    median_seconds: seconds("From submission to the closing decision, the median"),
  })
  .meta({
    id: "TrendStatistics",
    description: "The cases that were closed in one step of the range",
  });

export const statisticsAnswer = z
  .object({
    from: timeText("Inclusive"),
    to: timeText("Exclusive"),
    operators: z.array(operatorStatistics).describe("Most cases first"),
    time_to_first_decision: z
      .object({
        cases: z.int().describe("Cases whose first decision was made in the range"),
        median_seconds: seconds("The median from submission to the first decision"),
        p90_seconds: seconds("Nine of ten cases had their first decision within it"),
      })
      .describe("In elapsed time, nights and weekends included"),
    overdue: z
      .object({
        open: z.int().describe("Cases that are open now and overdue, submitted in the range"),
        decided_late: z.int().describe("Cases closed in the range after they were due"),
        decided: z.int().describe("All cases closed in the range"),
      })
      .describe("What the desk decided too late, by the due times in its hours"),
    rejections: z
      .array(rejectionStatistics)
      .describe("Rejected requirements by slug and code, most frequent first"),
    trend: z
      .array(trendStatistics)
      .describe(
        "The range in days of 24 hours from `from`, in weeks of more than 31 days, each step",
      ),
    first_time_right: z
      .object({
        orders: z.int().describe("Orders whose first submission was decided in the range"),
        right: z.int().describe("Those in which the desk rejected nothing"),
        share: z
          .number()
          .nullable()
          .describe("`right` by `orders`, from 0 to 1; null without orders")
          .meta({ examples: [0.83] }),
      })
      .describe("How many orders passed the desk at their first submission"),
    orders_by_status: z
      .array(statusCount)
      .describe("Orders created in the range, by their present status; statuses without any are 0"),
  })
  .meta({ id: "Statistics", description: "How the desk did in a range of time" });

export type Statistics = z.output<typeof statisticsAnswer>;
