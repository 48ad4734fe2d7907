import type { FastifyRequest } from 'fastify'
import { type Plan, planOf } from '../../domain/availability/service-scheduling-plan.ts'
import { entryUrl, isEntrySecret } from '../../domain/waitlist/entry-page-link.ts'
import { entryAsOf } from '../../domain/waitlist/entry-response.ts'
import { type EntryRow, entryFind } from '../../domain/waitlist/queries.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export type WaitlistPageDependencies = CountingDependencies & Dependencies<'config' | 'tag' | 'makeChange'>

export interface EntryContext {
  entry: EntryRow
  definition: BusinessDefinition
  /**
   * The plan (hours, people and rooms) of the service for which the buyer waits. Undefined if the service no longer
   * exists.
   */
  plan: Plan | undefined
  now: Date
  localizer: Localizer
  path: string
}

/**
 * Finds the waitlist entry of a page. Returns undefined if the entry does not exist or the secret is wrong. The answer
 * is the same in both cases, because it must not reveal whether an entry exists.
 */
export async function openEntry(
  { db, tag, clock, business }: WaitlistPageDependencies,
  { localizer }: Pick<FastifyRequest, 'localizer'>,
  { id, secret }: { id: string; secret: string },
): Promise<EntryContext | undefined> {
  if (!isEntrySecret(tag, id, secret)) return undefined
  const now = clock()
  const [found, definition] = await Promise.all([entryFind(db, id, undefined, now), business.get()])
  if (!found || !definition) return undefined
  const plan = planOf(definition, found.service_id)
  return { entry: entryAsOf(found, now), definition, plan, now, localizer, path: entryUrl('', tag, id) }
}
