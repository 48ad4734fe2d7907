/** The typical visits of one service of the demo salon. */
export interface VisitRate {
  service: string
  /**
   * The expected number of visits on a usual day, and on a busy day. For a class, this is the number of bookings per
   * session.
   */
  usual: number
  busy: number
  /** The days of the week on which the service is offered, as numbers from 0 (Sunday) to 6. */
  weekdays: readonly number[]
  /** The wished start times in hours after midnight: `mostly` for most visits, and `otherwise` for the rest. */
  mostly: readonly [from: number, to: number]
  otherwise: readonly [from: number, to: number]
  /** The minimum number of days between the booking and the visit. */
  leastLeadDays: number
  /** The largest number of people in one booking. */
  party: number
}

const [SUNDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 2, 3, 4, 5, 6]
const STYLISTS = [TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY]
const AFTERNOON = [13, 17.5] as const
const MORNING = [9.5, 12] as const
const hair = { mostly: AFTERNOON, otherwise: MORNING, leastLeadDays: 0.2, party: 1 }

export const CLASS = 'svc_yoga'

export const visitRates: readonly VisitRate[] = [
  { ...hair, service: 'svc_haircut', usual: 4.6, busy: 7, weekdays: STYLISTS },
  { ...hair, service: 'svc_color', usual: 1, busy: 1.4, weekdays: STYLISTS, leastLeadDays: 1.2 },
  { ...hair, service: 'svc_massage', usual: 2.1, busy: 3.4, weekdays: STYLISTS },
  { ...hair, service: 'svc_consult', usual: 0.35, busy: 0.5, weekdays: STYLISTS },
  { ...hair, service: 'svc_call', usual: 0.3, busy: 0.4, weekdays: STYLISTS },
  { ...hair, service: 'svc_plumbing', usual: 0.25, busy: 0.4, weekdays: [TUESDAY, WEDNESDAY, THURSDAY, FRIDAY] },
  {
    ...hair,
    service: 'svc_table',
    usual: 1.1,
    busy: 2.2,
    weekdays: [SUNDAY, ...STYLISTS],
    mostly: [11.5, 14],
    party: 5,
  },
  { ...hair, service: 'svc_bike', usual: 0.4, busy: 0.6, weekdays: [SUNDAY, ...STYLISTS], mostly: [11, 15] },
  { ...hair, service: CLASS, usual: 3.4, busy: 4.8, weekdays: [SUNDAY, ...STYLISTS] },
]

/**
 * The share of the usual number of visits on a day of the week, from Sunday on. The end of the week has more visits, so
 * today is not the only day with many.
 */
export const WEEKDAY_SHARES = [1, 1, 0.8, 0.9, 1, 1.1, 1.2] as const

/** The share of the usual number of visits that is already booked for a day, by the number of days until this day. */
export function bookedShare(days: number): number {
  if (days <= 0) return 1
  if (days <= 3) return 1.1
  if (days <= 7) return 0.8
  return days <= 14 ? 0.45 : 0.2
}
