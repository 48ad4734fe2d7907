import { planOf } from '../../domain/availability/plan.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { readTime, slotIdOf } from '../booking-flow/chosen-time.ts'
import { fairestFirst } from '../booking-flow/fairest-first.ts'
import { timesAt } from '../booking-flow/free-times.ts'
import { moveSearch } from './move-search.ts'
import type { PageContext } from './page-context.ts'

/** The slot id for the requested time. Among several, the resource with the least busy time wins. */
export async function timeToMoveTo(
  context: PageContext,
  { db, tag }: Dependencies<'db' | 'tag'>,
): Promise<string | undefined> {
  const { booking, definition, query, now } = context
  const plan = planOf(definition, booking.service_id)
  const chosen = readTime(query)
  if (!plan || !chosen) return undefined
  const found = await timesAt(db, plan, moveSearch(plan, context, tag), chosen)
  const [time] = await fairestFirst(db, plan, found, now)
  return time && slotIdOf(time, plan, tag)
}
