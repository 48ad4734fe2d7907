import type { Operation } from '../../protocol/define-operation.ts'
import { createCalendar } from './create-calendar.ts'
import { listCalendars } from './list-calendars.ts'
import { revokeCalendar } from './revoke-calendar.ts'

export const operations: Operation[] = [createCalendar, listCalendars, revokeCalendar]
