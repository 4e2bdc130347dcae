import type { z } from "zod";
import type { listedOrderAnswer } from "../../../api/orders/answers.ts";
import type { orderAnswer } from "../../../domain/order/answers/order-answer.ts";
import type {
  commentAnswer,
  timelineEntryAnswer,
} from "../../../domain/order/answers/order-note-answer.ts";
import type {
  readinessAnswer,
  requirementAnswer,
} from "../../../domain/requirement/answers/requirement-answer.ts";

export type Order = z.infer<typeof orderAnswer>;
export type ListedOrder = z.infer<typeof listedOrderAnswer>;
export type Requirement = z.infer<typeof requirementAnswer>;
export type Readiness = z.infer<typeof readinessAnswer>;
export type Comment = z.infer<typeof commentAnswer>;
export type TimelineEntry = z.infer<typeof timelineEntryAnswer>;
