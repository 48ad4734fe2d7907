import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { KeptTimes } from './busy-time-queries.ts'
import type { BusyTime } from './reader/busy-time-list.ts'
import type { ObjectTime } from './reader/read-reports.ts'
import type { ReadState } from './source-queries.ts'

/** The result of a read. */
export interface Reading {
  state: Partial<ReadState>
  /** The pause that the calendar asks for. */
  pauseSeconds: number | null
  /** The new access to the account, if the provider has replaced it. */
  secret?: string
  /** Returns the busy times that the server has read. Undefined if they are the same as before. */
  times?: (tx: UnitOfWork) => Promise<readonly (BusyTime | ObjectTime)[]>
  /** Which stored busy times stay besides. Undefined if the server has read the whole calendar. */
  kept?: KeptTimes
}
