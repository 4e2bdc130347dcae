import type { z } from "zod";
import type { eventAnswer } from "../../../services/api/events/routes.ts";

export type Event = z.output<typeof eventAnswer>;

export const EVENTS_PATH = "/v2/porting/events";
