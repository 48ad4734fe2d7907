import { zoneOf } from '../../../core/business/definition-facts.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { peopleOfEntry } from '../../../protocol/list-records-about-people.ts'
import type { RemoveWaitlistEntry } from '../../../protocol/types.generated.ts'
import { recordEntryEvent } from '../../waitlist/entry-events.ts'
import { entryInput, entryOutput, entrySummary, toEntry } from '../../waitlist/entry-response.ts'
import { endEntry, isLiveEntry, lockEntry } from '../../waitlist/read-and-lock-entry.ts'
import { onWaitlistAtDesk } from '../shared/operation-defaults.ts'

export const removeEntry = defineOperation<RemoveWaitlistEntry>({
  ...onWaitlistAtDesk,
  id: 'removeWaitlistEntry',
  rest: 'DELETE /business/waitlist/{entry_id}',
  tool: 'usp_business_waitlist_remove',
  title: 'Remove an entry from the waitlist',
  description:
    'Ends an entry that waits or is offered a place. An offered place goes to the next entry. The platform of ' +
    'the entry is notified.',
  effect: 'remove',
  input: entryInput,
  output: entryOutput,
  people: peopleOfEntry,
  summary: entrySummary,
  async handle(context) {
    const { input, db, caller, now, tag } = context
    const entry = await lockEntry(context, input.entry_id)
    const answer = async (row: typeof entry) => ({ entry: toEntry(row, tag, await zoneOf(context)) })
    if (entry.status === 'removed') return answer(entry)
    if (!isLiveEntry(entry))
      throw new BusinessRefusal(
        'invalid_transition',
        `Only an entry that waits or is offered a slot can be removed; this entry is ${entry.status}.`,
      )
    const removed = await endEntry(db, entry, { step: 'leave', actor: caller.principal }, now)
    // The protocol has only one event for waitlist entries that end without a booking. The entry inside the event shows
    // how it ended.
    await recordEntryEvent(db, 'waitlist.expired', removed, now)
    return answer(removed)
  },
})
