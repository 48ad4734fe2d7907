import { zoneOf } from '../../../core/business/definition-facts.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { peopleOfEntry } from '../../../protocol/list-records-about-people.ts'
import type { MoveWaitlistEntry } from '../../../protocol/types.generated.ts'
import { journalEntryChange, recordPositionChanges } from '../../waitlist/entry-events.ts'
import { entryInput, entryOutput, entrySummary, toEntry } from '../../waitlist/entry-response.ts'
import { entriesInOrder } from '../../waitlist/queries.ts'
import { lockEntry, readAgain } from '../../waitlist/read-and-lock-entry.ts'
import { onWaitlistAtDesk } from '../shared/operation-defaults.ts'
import { waitlistReorder } from './entry-queries.ts'

export const moveEntry = defineOperation<MoveWaitlistEntry>({
  ...onWaitlistAtDesk,
  id: 'moveWaitlistEntry',
  rest: 'POST /business/waitlist/{entry_id}/move',
  tool: 'usp_business_waitlist_move',
  title: 'Move an entry in the waitlist',
  description: 'Moves an entry to another position in the waitlist of its service. The entries in between move by one.',
  effect: 'update',
  input: {
    ...entryInput,
    required: ['entry_id', 'position'],
    properties: {
      ...entryInput.properties,
      position: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000,
        description: '1 is the next entry. A number beyond the end means the end.',
      },
    },
  },
  output: entryOutput,
  people: peopleOfEntry,
  summary: entrySummary,
  async handle(context) {
    const { input, db, caller, now, tag } = context
    const entry = await lockEntry(context, input.entry_id)
    const { id, service_id, status, position } = entry
    const line = await entriesInOrder(db, service_id)
    if (!line.some((one) => one.id === id))
      throw new BusinessRefusal(
        'invalid_transition',
        `Only an entry that waits or is offered a slot can be moved; this entry is ${status}.`,
      )
    await waitlistReorder(db, line, line.filter((one) => one.id !== id).toSpliced(input.position - 1, 0, entry))
    const moved = await readAgain(db, id, now)
    if (moved.position !== position) {
      const detail = { from: position, to: moved.position }
      journalEntryChange(db, entry, { actor: caller.principal, action: 'move', to: status, detail }, now)
      await recordPositionChanges(db, new Map(line.map((one) => [one.id, one.position])), service_id, now)
    }
    return { entry: toEntry(moved, tag, await zoneOf(context)) }
  },
})
