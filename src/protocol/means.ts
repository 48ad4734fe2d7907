import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../infra/config/config.ts'
import type { MakeChange } from '../infra/db/change.ts'
import type { Database } from '../infra/db/database.ts'
import type { ReadAtStandby } from '../infra/db/standby-reads.ts'
import type { CurrentBusiness } from './current-business.ts'
import type { Cursors } from './cursor.ts'
import type { StrangerLimit, Unproven, UsualLimits } from './limits.ts'
import type { Operation } from './operation.ts'
import type { Tag } from './tags.ts'

/** What the server has for whoever asks for it by name. What only some know of, they name with its own type. */
export interface Everything {
  config: Config
  db: Database
  /** Reads at a standby, if there is one that has all that was acknowledged so far; otherwise at the primary. */
  readAtStandby: ReadAtStandby
  makeChange: MakeChange
  clock: () => Date
  /** What is wrong with this server's own clock, in a sentence; nothing when it is right. */
  clockFault: () => string | undefined
  cursors: Cursors
  tag: Tag
  log: FastifyBaseLogger
  operations: Operation[]
  business: CurrentBusiness
  /** Calls a minute and the like, where the business names no number of its own. */
  limits: UsualLimits
  /** To be told when strangers have as much as they may. */
  strangerLimitMet(whose: Unproven, limit: StrangerLimit): void
  /** Seals what is stored of answers. */
  replyKey: KeyObject
  /** Seals the keys that events are signed with. */
  signingBox: KeyObject
  /** Seals the keys that access tokens are signed with. */
  oauthKey: KeyObject
}

/** What a function needs to do its work: `Means<'db' | 'clock'>`. */
export type Means<Name extends keyof Everything> = Pick<Everything, Name>
