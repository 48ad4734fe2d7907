import { operations as availability } from './availability/index.ts'
import { operations as bookings } from './bookings/index.ts'
import { operations as catalog } from './catalog/index.ts'
import { operations as feed } from './feed/index.ts'
import type { Operation } from './protocol/operation.ts'

/** Everything the server can do. */
export const operations: Operation[] = [...catalog, ...feed, ...availability, ...bookings]
