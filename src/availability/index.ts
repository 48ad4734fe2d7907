import type { Operation } from '../protocol/operation.ts'
import { holdSlot } from './hold-slot.ts'
import { queryAvailability } from './query-availability.ts'
import { releaseHold } from './release-hold.ts'

export const operations: Operation[] = [queryAvailability, holdSlot, releaseHold]
