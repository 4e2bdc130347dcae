import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/answers.ts";

const count = (description: string) => z.int().meta({ description, examples: [3] });

export const ALERT_KINDS = [
  "assigned",
  "duplicate",
  "comment",
  "carrier",
  "overdue",
  "port_out",
] as const;

/** What concerns an operator: a case of theirs, an order whose case they claimed or decided last, or any port-out. */
const alertAnswer = z
  .object({
    kind: z.enum(ALERT_KINDS).meta({
      description:
        "`assigned`: a lead assigned the case to the caller, who has not opened it; `duplicate`, `overdue`: of a case that the caller has claimed; `comment`: the customer waits for an answer, on a port-out for everybody and seven days at most; `carrier`: the carrier is silent or did something unexpected; `port_out`: numbers left although the port-out was rejected, for everybody and seven days",
    }),
    order_id: idText("The order; null for a port-out").nullable(),
    port_out_id: idText("The port-out; null for an order").nullable(),
    account: accountReference,
    customer_reference: z
      .string()
      .meta({ description: "The customer's own reference", examples: ["MOVE-2031"] }),
    has_case: z.boolean().meta({ description: "Whether its case is open" }),
    since: timeText("Since when"),
  })
  .meta({ id: "DeskAlert", description: "Something that concerns the operator" });

export const alertsAnswer = z
  .object({
    alerts: z.array(alertAnswer).meta({ description: "The latest 50" }),
    counts: z
      .object({
        reviews: count("Open cases that nobody has claimed"),
        orders: count("Orders that need attention, as their list finds them; counted up to 10,000"),
      })
      .meta({ description: "For everybody; a few seconds old where it is slow to count" }),
  })
  .meta({
    id: "DeskAlerts",
    description: "What concerns the operator, and what waits for anybody",
  });
