import { DAY } from '../../infra/time/units.ts'

export const SLOT_PAGE = { usual: 50, most: 200 }
export const SLOT_CURSOR_SECONDS = 15 * 60
/** How many days one query may span, unless the business says otherwise. */
export const DAYS_AT_ONCE = 31
/** How many days are explained at once, how many before them are looked at, and how many times of one kind are told. */
export const EXPLAINED = { days: 7, before: 7, told: 3 }
/** How long something may take, and a booking last: each day of it is looked at for each of its times. */
export const LONGEST_TIME = 400 * DAY
/** How far ahead the next free time is looked for. */
export const AHEAD = 92 * DAY
export const HOLD_MINUTES = 10
/** How long an assistant keeps a slot for somebody who has not opened the link to it. */
export const UNOPENED_MINUTES = 5
/** Of a service's places on one day: so many may be kept within an hour by links that nobody opens. */
export const UNOPENED_SHARE = 1 / 4
/** Live holds of one buyer, or of a key that no profile publishes, on one service. */
export const MOST_HOLDS = 3
/** Holds given up within ten minutes before the next has to wait: by one platform, and by all new ones of one address. */
export const FREE_RELEASES = { principal: 5, address: 30 }
