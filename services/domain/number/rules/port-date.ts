import { DateTime } from "luxon";
import { findCountry } from "../../countries/find-country.ts";
import { classifyNumber } from "./classify-number.ts";
import { addBusinessDays } from "../../../platform/calendar/business-days.ts";

const BUSINESS_DAYS_AHEAD = 7;
const PORT_HOUR = 10;

/** The time zone of the number's country; requests do not carry it, so integrations must know it. */
function zoneOf(phoneNumber: string): string {
  const kind = classifyNumber(phoneNumber);
  return findCountry(kind?.country_code ?? "")?.calendar.timeZone ?? "UTC";
}

/** The sandbox ignores holidays, so that its dates are predictable. */
const never = (): boolean => false;

/** The 7th weekday after the request at 10:00, with the UTC offset of the number's location on that day. */
export function portDate(requestedAt: Date, phoneNumber: string): string {
  const received = DateTime.fromJSDate(requestedAt, { zone: zoneOf(phoneNumber) });
  const day = addBusinessDays(received, BUSINESS_DAYS_AHEAD, never);
  const at = day.set({ hour: PORT_HOUR, minute: 0, second: 0, millisecond: 0 });
  return at.toISO({ suppressMilliseconds: true }) ?? "";
}

const DAYS_LATER = 7;

/** A week after an ISO 8601 instant, at the same hour with the same offset. */
export function laterDate(instant: string): string {
  const date = DateTime.fromISO(instant, { setZone: true }).plus({ days: DAYS_LATER });
  return date.toISO({ suppressMilliseconds: true }) ?? instant;
}
