import type { Operation } from '../../protocol/define-operation.ts'
import { explainAvailability } from './explain-availability.ts'
import { holdSlot } from './hold-slot.ts'
import { queryAvailability } from './query-availability.ts'
import { releaseHold } from './release-hold.ts'

export const operations: Operation[] = [queryAvailability, explainAvailability, holdSlot, releaseHold]
