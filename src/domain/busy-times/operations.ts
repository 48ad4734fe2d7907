import type { Operation } from '../../protocol/define-operation.ts'
import { connectCalendar } from './connect-calendar.ts'
import { disconnectCalendar } from './disconnect-calendar.ts'
import { listConnectedCalendars } from './list-connected-calendars.ts'
import { refreshConnectedCalendar } from './refresh-connected-calendar.ts'

export const operations: Operation[] = [
  connectCalendar,
  listConnectedCalendars,
  refreshConnectedCalendar,
  disconnectCalendar,
]
