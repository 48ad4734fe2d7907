import { operations as deliveries } from '../core/events/deliveries/operations.ts'
import { operations as availability } from '../domain/availability/operations.ts'
import { operations as bookings } from '../domain/bookings/operations.ts'
import { operations as busyTimes } from '../domain/busy-times/operations.ts'
import { operations as calendar } from '../domain/calendar/operations.ts'
import { operations as catalog } from '../domain/catalog/operations.ts'
import { operations as checkouts } from '../domain/checkouts/operations.ts'
import { operations as desk } from '../domain/desk/operations.ts'
import { operations as feed } from '../domain/feed/operations.ts'
import { operations as registry } from '../domain/registry/operations.ts'
import { operations as waitlist } from '../domain/waitlist/operations.ts'
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
  ...busyTimes,
  ...deliveries,
]
