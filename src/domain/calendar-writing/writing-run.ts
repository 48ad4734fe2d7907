import type { OpenDatabase } from '../../infra/db/database.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { CaldavClient } from '../busy-times/caldav/caldav-client.ts'
import type { LeasedWriter } from '../busy-times/writer-queries.ts'

export type WritingDependencies = Dependencies<
  'business' | 'clock' | 'clockFault' | 'config' | 'log' | 'makeChange' | 'calendarKey' | 'tag'
> & { db: OpenDatabase }

/** One run of the worker on one calendar. */
export interface WritingRun {
  dependencies: WritingDependencies
  writer: LeasedWriter
  client: CaldavClient
  /** The address of the calendar. Undefined after the owner has ended the writing. */
  calendar: string | undefined
  business: BusinessDefinition | undefined
  now: Date
}
