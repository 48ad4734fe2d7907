import { unknownService } from '../availability/find-slot.ts'
import { slotGone } from '../availability/occupy.ts'
import { planOf } from '../availability/plan.ts'
import { readSlotId } from '../availability/slot-id.ts'
import { personOf } from '../bookings/people.ts'
import { newId } from '../new-id.ts'
import { Outcome } from '../protocol/errors.ts'
import { defineOperation } from '../protocol/operation.ts'
import { shape } from '../protocol/schemas.ts'
import type { JoinWaitlist } from '../protocol/types.generated.ts'
import { enterAsStranger } from '../trust/few-of-strangers.ts'
import { issueScopedCredential } from '../trust/scoped-credentials.ts'
import { isToldApart } from '../trust/stranger.ts'
import { entryNotFound } from './change-entry.ts'
import { toEntry } from './entry.ts'
import { noteChange } from './line.ts'
import { entrySummary } from './parts.ts'
import { entryCount, entryFind, entryInsert, waitlistLock } from './queries.ts'

/** How many wait at most where the business says nothing. */
const USUAL_LIMIT = 500

export const joinWaitlist = defineOperation<JoinWaitlist>({
  id: 'joinWaitlist',
  rest: 'POST /waitlist',
  tool: 'usp_waitlist_join',
  title: 'Join the waitlist',
  description:
    'Queues a buyer for a service that is full, for one slot or for whatever comes free at times that suit. The first in ' +
    'line is offered what comes free, for a while.',
  capability: 'dev.usp-protocol.services.waitlist',
  access: 'privileged_platform',
  effect: 'create',
  input: {
    type: 'object',
    required: ['service_id', 'buyer'],
    properties: {
      service_id: { type: 'string', minLength: 1, description: 'The service.' },
      slot_id: { type: 'string', minLength: 1, maxLength: 4000, description: 'Only this slot.' },
      buyer: shape('WaitlistBuyer'),
      preferred_slots: {
        type: 'array',
        maxItems: 100,
        description: 'Times that suit; any when left out.',
        items: {
          type: 'object',
          properties: {
            start_date: { type: 'string', format: 'date', description: 'From this day on.' },
            end_date: { type: 'string', format: 'date', description: 'Up to this day, included.' },
            time_of_day: { type: 'string', maxLength: 100, description: 'morning, afternoon or evening.' },
          },
        },
      },
    },
  },
  output: {
    type: 'object',
    required: ['entry'],
    properties: { entry: shape('WaitlistEntry'), booking_scoped_credential: shape('BookingScopedCredential') },
  },
  summary: entrySummary,
  async handle({ input, caller, db, now, business, tag }) {
    const { service_id, slot_id = null, buyer, preferred_slots = null } = input
    const plan = planOf(await business.get(), service_id)
    if (!plan) throw unknownService(service_id)
    const { service, zone, maxAdvance } = plan
    if (service.capacity?.waitlist !== true)
      throw new Outcome('validation_error', `${service.name} has no waitlist.`, '$.service_id')
    if (slot_id !== null && readSlotId(tag, slot_id)?.service !== service_id) throw slotGone()
    await waitlistLock(db)
    if ((await entryCount(db, service_id)) >= (service.waitlist?.limit ?? USUAL_LIMIT))
      throw new Outcome('waitlist_full', `The waitlist of ${service.name} is full. Try again later.`)
    const { principal, profile } = caller
    const id = newId('wle')
    if (caller.stranger) await enterAsStranger(db, caller.stranger, { kind: 'entry', id }, now)
    const person = { ...personOf(buyer) }
    const told_apart = isToldApart(caller)
    await entryInsert(
      db,
      { id, principal, profile, service_id, slot_id, buyer: person, preferred: preferred_slots, told_apart },
      now,
    )
    const entry = await entryFind(db, id, undefined)
    if (!entry) throw entryNotFound()
    await noteChange(db, principal, 'join', entry, 'waiting', now)
    // An offer may come as late as the last slot that can be booked today; the credential must outlive it.
    const until = new Date(now.getTime() + maxAdvance + 365 * 86_400_000)
    const credential = await issueScopedCredential(db, { kind: 'waitlist_entry', id }, caller, until)
    return { entry: toEntry(entry, tag, zone), ...(credential && { booking_scoped_credential: credential }) }
  },
})
