import { operations as availability } from './availability/index.ts'
import { operations as bookings } from './bookings/index.ts'
import { operations as calendar } from './calendar/index.ts'
import { operations as catalog } from './catalog/index.ts'
import { operations as checkouts } from './checkouts/index.ts'
import { operations as deliveries } from './deliveries/index.ts'
import { operations as desk } from './desk/index.ts'
import { operations as feed } from './feed/index.ts'
import type { Operation } from './protocol/operation.ts'
import { operations as registry } from './registry/index.ts'
import { operations as waitlist } from './waitlist/index.ts'

export const operations: Operation[] = [
  ...catalog,
  ...feed,
  ...availability,
  ...bookings,
  ...checkouts,
  ...calendar,
  ...waitlist,
  ...registry,
  ...desk,
  ...deliveries,
]
