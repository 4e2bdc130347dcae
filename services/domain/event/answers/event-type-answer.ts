import { z } from "zod";
import { EVENT_TYPES } from "../../../messages/events.ts";

/** The type of an event in a response; a request's is the plain, closed enumeration. */
export const eventType = z
  .enum(EVENT_TYPES)
  .meta({ id: "EventType", description: "What happened; clients must accept other types" });
