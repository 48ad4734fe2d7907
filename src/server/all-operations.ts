import { operations as deliveries } from '../core/events/deliveries/index.ts'
import { operations as availability } from '../domain/availability/index.ts'
import { operations as bookings } from '../domain/bookings/index.ts'
import { operations as calendar } from '../domain/calendar/index.ts'
import { operations as catalog } from '../domain/catalog/index.ts'
import { operations as checkouts } from '../domain/checkouts/index.ts'
import { operations as desk } from '../domain/desk/index.ts'
import { operations as feed } from '../domain/feed/index.ts'
import { operations as registry } from '../domain/registry/index.ts'
import { operations as waitlist } from '../domain/waitlist/index.ts'
import type { Operation } from '../protocol/define-operation.ts'

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
