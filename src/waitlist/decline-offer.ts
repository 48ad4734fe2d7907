import { planOf } from '../availability/plan.ts'
import { zoneOf } from '../business/zone-of.ts'
import { Outcome } from '../protocol/errors.ts'
import { defineOperation } from '../protocol/operation.ts'
import type { DeclineOffer } from '../protocol/types.generated.ts'
import { endEntry, lockEntry, offerEnd, readAgain } from './change-entry.ts'
import { toEntry, withoutOffer } from './entry.ts'
import { journalEntryChange, recordMoves } from './entry-events.ts'
import { entryInput, entryOutput, entrySummary, onEntry } from './operation-parts.ts'
import { entryUpdate, placesInOrder } from './queries.ts'

export const declineOffer = defineOperation<DeclineOffer>({
  ...onEntry,
  id: 'declineOffer',
  rest: 'POST /waitlist/{entry_id}/decline',
  tool: 'usp_waitlist_decline',
  title: 'Decline an offer',
  description:
    'Gives an offered slot back; it goes to the next in line. The entry goes to the end of the queue, unless it was for ' +
    'that very slot or the business keeps nobody who declines.',
  effect: 'update',
  input: entryInput,
  output: entryOutput,
  summary: entrySummary,
  async handle(context) {
    const { input, db, caller, now, business, tag } = context
    const entry = await lockEntry(context, input.entry_id)
    if (entry.status !== 'offered')
      throw new Outcome('invalid_transition', `Only an offered entry can be declined; this one is ${entry.status}.`)
    const { waitlist } = planOf(await business.get(), entry.service_id)?.service ?? {}
    const stays = entry.slot_id !== entry.offered_slot_id && waitlist?.on_decline !== 'remove'
    if (!stays) await endEntry(db, entry, { step: 'leave', actor: caller.principal }, now)
    else {
      const before = await placesInOrder(db, entry.service_id)
      await offerEnd(db, entry)
      await entryUpdate(
        db,
        entry,
        { step: 'decline', ...withoutOffer, toEnd: true, declined: entry.offered_slot_id },
        now,
      )
      journalEntryChange(db, entry, { actor: caller.principal, action: 'decline', to: 'waiting' }, now)
      await recordMoves(db, before, entry.service_id, now)
    }
    return { entry: toEntry(await readAgain(db, entry.id, now), tag, await zoneOf(context)) }
  },
})
