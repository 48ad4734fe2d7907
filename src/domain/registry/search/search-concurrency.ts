import { limitConcurrency } from '../../../infra/util/concurrency-limit.ts'

/** Statements of all searches that run at the same time: bookings must find a free connection beside them. */
const AT_ONCE = 6

export const limitSearches = limitConcurrency(AT_ONCE)
