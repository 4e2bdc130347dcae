import { DateTime } from "luxon";
import { findCountry } from "../../domain/countries/find-country.ts";
import type { NumberType } from "../../domain/countries/number-type.ts";
import { addBusinessDays, isBusinessDay } from "../../platform/calendar/business-days.ts";
import { isPublicHoliday } from "../../platform/calendar/public-holidays.ts";

/**
 * The earliest FOC date for an order of the kind if the carrier received it now, as ISO 8601 with the offset of the
 * country's main zone; null for a kind that cannot be ordered. Weekends and public holidays are skipped.
 */
export function earliestFoc(
  kind: { readonly country_code: string; readonly number_type: NumberType },
  now: Date,
): string | null {
  const country = findCountry(kind.country_code);
  const lead = country?.types[kind.number_type]?.leadTime;
  if (country === null || lead === undefined) return null;
  const { calendar } = country;
  const local = DateTime.fromJSDate(now, { zone: calendar.timeZone });
  const isOff = (day: DateTime): boolean => isPublicHoliday(calendar.holidaysOf, day);
  const isInTime = isBusinessDay(local, isOff) && local.hour < calendar.cutOffHour;
  const received = isInTime ? local : addBusinessDays(local, 1, isOff);
  const day = addBusinessDays(received, lead.days, isOff);
  return day.startOf("day").set({ hour: lead.hour }).toISO({ suppressMilliseconds: true });
}
