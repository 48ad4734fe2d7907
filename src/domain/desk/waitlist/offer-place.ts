import { zoneOf } from '../../../core/business/definition-facts.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { peopleOfEntry } from '../../../protocol/list-records-about-people.ts'
import type { OfferWaitlistPlace } from '../../../protocol/types.generated.ts'
import { findSlot, refuseOutsideWindow } from '../../availability/find-slot.ts'
import { entryInput, entryOutput, entrySummary, toEntry } from '../../waitlist/entry-response.ts'
import { offerSlot } from '../../waitlist/offer-slot.ts'
import { lockEntry, readAgain } from '../../waitlist/read-and-lock-entry.ts'
import { onWaitlistAtDesk } from '../shared/operation-defaults.ts'

export const offerPlace = defineOperation<OfferWaitlistPlace>({
  ...onWaitlistAtDesk,
  id: 'offerWaitlistPlace',
  rest: 'POST /business/waitlist/{entry_id}/offer',
  tool: 'usp_business_waitlist_offer',
  title: 'Offer a free place',
  description:
    'Offers a free place to an entry, regardless of earlier entries and of its preferred times. The place is ' +
    'reserved for the entry until the offer ends, like a place that has just become free.',
  effect: 'update',
  input: {
    ...entryInput,
    required: ['entry_id', 'slot_id'],
    properties: {
      ...entryInput.properties,
      slot_id: { type: 'string', minLength: 1, maxLength: 4000, description: 'A slot of usp_availability_query.' },
    },
  },
  output: entryOutput,
  people: peopleOfEntry,
  summary: entrySummary,
  async handle(context) {
    const { input, db, caller, now, business, tag } = context
    const entry = await lockEntry(context, input.entry_id)
    const { service_id, status } = entry
    if (status !== 'waiting')
      throw new BusinessRefusal(
        'invalid_transition',
        `Only a waiting entry can be offered a place; this entry is ${status}.`,
      )
    const slot = await findSlot(db, await business.get(), { tag, service: service_id, id: input.slot_id, now })
    refuseOutsideWindow(slot, now)
    await offerSlot(db, slot, { entry, actor: caller.principal }, now)
    return { entry: toEntry(await readAgain(db, entry.id, now), tag, await zoneOf(context)) }
  },
})
