import { limitConcurrency } from '../../basics/concurrency-limit.ts'

/** Of all searches so many statements are worked on at the same time; the others wait, and bookings find a connection. */
const AT_ONCE = 6

export const inTurn = limitConcurrency(AT_ONCE)
