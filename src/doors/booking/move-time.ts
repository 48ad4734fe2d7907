import { planOf } from '../../availability/plan.ts'
import type { Means } from '../../protocol/means.ts'
import { fairestFirst } from '../book/fair-choice.ts'
import { timesAt } from '../book/free-times.ts'
import { moveChoice, slotIdOf } from './move-choice.ts'
import type { PageContext } from './page-context.ts'

/** The slot that begins when it was asked for; of several, that with whoever has the least to do that day. */
export async function timeToMoveTo(
  { booking, definition, query, now }: PageContext,
  { db, tag }: Means<'db' | 'tag'>,
): Promise<string | undefined> {
  const plan = planOf(definition, booking.service_id)
  const start = Number(query.get('start'))
  if (!plan || !Number.isSafeInteger(start)) return undefined
  const found = await timesAt(db, plan, moveChoice(plan, booking, query, tag), start, now)
  const free = found.filter(({ capacity }) => capacity?.remaining !== 0)
  const [time] = await fairestFirst(db, plan, free, now)
  return time && slotIdOf(time, plan, tag)
}
