import { DateTime } from "luxon";
import { addBusinessDays, isBusinessDay } from "../../platform/calendar/business-days.ts";
import { isPublicHoliday } from "../../platform/calendar/public-holidays.ts";
import type { NumberType } from "../../domain/number/rules/classify-number.ts";

interface LeadTime {
  /** Business days that the losing carrier takes, from the one on which it has the request. */
  readonly days: number;
  /** Hour at which its porting window opens. */
  readonly hour: number;
}

interface PortingCalendar {
  readonly zone: string;
  /** A request counts as of the day if it is in by this hour. */
  readonly cutOffHour: number;
  readonly byType: Readonly<Partial<Record<NumberType, LeadTime>>>;
}

const UNNAMED_DAYS = 7;
const NORTH_AMERICAN = { zone: "America/New_York", cutOffHour: 13 } as const;
const NORTH_AMERICAN_MOBILE: LeadTime = { days: 1, hour: 10 };
const RESPORG_CHANGE: LeadTime = { days: 2, hour: 8 };
const FRENCH_FIXED: LeadTime = { days: 8, hour: 10 };
const GERMAN_LINE: LeadTime = { days: UNNAMED_DAYS, hour: 6 };
const GERMAN_SERVICE: LeadTime = { days: UNNAMED_DAYS, hour: 14 };

/** What carriers publish or the law allows them; `UNNAMED_DAYS` where neither names the least (47 CFR 52.35, EECC 106). */
const CALENDARS: ReadonlyMap<string, PortingCalendar> = new Map(
  Object.entries<PortingCalendar>({
    US: {
      ...NORTH_AMERICAN,
      byType: {
        local: { days: 3, hour: 10 },
        mobile: NORTH_AMERICAN_MOBILE,
        toll_free: RESPORG_CHANGE,
      },
    },
    CA: {
      ...NORTH_AMERICAN,
      byType: {
        local: { days: 6, hour: 10 },
        mobile: NORTH_AMERICAN_MOBILE,
        toll_free: RESPORG_CHANGE,
      },
    },
    GB: {
      zone: "Europe/London",
      cutOffHour: 12,
      byType: {
        local: { days: 4, hour: 10 },
        mobile: { days: 1, hour: 10 },
        national: { days: 7, hour: 10 },
        toll_free: { days: 7, hour: 0 },
      },
    },
    FR: {
      zone: "Europe/Paris",
      cutOffHour: 12,
      byType: {
        local: FRENCH_FIXED,
        national: FRENCH_FIXED,
        toll_free: FRENCH_FIXED,
        mobile: { days: 1, hour: 10 },
      },
    },
    DE: {
      zone: "Europe/Berlin",
      cutOffHour: 12,
      byType: {
        local: GERMAN_LINE,
        national: GERMAN_LINE,
        toll_free: GERMAN_SERVICE,
        shared_cost: GERMAN_SERVICE,
      },
    },
    ES: everyType("Europe/Madrid", { days: UNNAMED_DAYS, hour: 12 }),
    AU: everyType("Australia/Sydney", { days: UNNAMED_DAYS, hour: 10 }),
  }),
);

function everyType(zone: string, lead: LeadTime): PortingCalendar {
  const byType = { local: lead, mobile: lead, toll_free: lead, national: lead, shared_cost: lead };
  return { zone, cutOffHour: 12, byType };
}

/**
 * The earliest date that an order of the kind may be confirmed for if the carrier had it now, as ISO 8601 with the
 * offset of the country's main zone; null for a kind that has none. Weekends and public holidays are left out.
 */
export function earliestFoc(
  kind: { readonly country_code: string; readonly number_type: NumberType },
  now: Date,
): string | null {
  const calendar = CALENDARS.get(kind.country_code);
  const lead = calendar?.byType[kind.number_type];
  if (calendar === undefined || lead === undefined) return null;
  const local = DateTime.fromJSDate(now, { zone: calendar.zone });
  const isOff = (day: DateTime): boolean => isPublicHoliday(kind.country_code, day);
  const isInTime = isBusinessDay(local, isOff) && local.hour < calendar.cutOffHour;
  const received = isInTime ? local : addBusinessDays(local, 1, isOff);
  const day = addBusinessDays(received, lead.days, isOff);
  return day.startOf("day").set({ hour: lead.hour }).toISO({ suppressMilliseconds: true });
}
