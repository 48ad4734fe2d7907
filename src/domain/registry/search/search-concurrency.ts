import { limitConcurrency } from '../../../infra/util/semaphore.ts'

/** Search statements that may run in parallel. Bookings must still find a free connection. */
const AT_ONCE = 6

export const limitSearches = limitConcurrency(AT_ONCE)
