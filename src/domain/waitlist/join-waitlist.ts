import { issueScopedCredential } from '../../core/authentication/booking-scoped-credentials.ts'
import { hasSeparateReceiver } from '../../core/authentication/principals.ts'
import { useMailQuota } from '../../core/limits/mail-quota.ts'
import { useStrangerQuota } from '../../core/limits/stranger-caller-quota.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { defineOperation, STATUS } from '../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { peopleOfEntry } from '../../protocol/list-records-about-people.ts'
import type { JoinWaitlist } from '../../protocol/types.generated.ts'
import { MAX_ADVANCE_MS } from '../availability/availability-limits.ts'
import { findSlot, refuseOutsideWindow, unknownService } from '../availability/find-slot.ts'
import { planOf } from '../availability/service-scheduling-plan.ts'
import { checkLengths, checkPeople } from '../bookings/check-booking-request.ts'
import { personOf } from '../bookings/people-of-booking.ts'
import { withOwnConsentOnly } from '../bookings/text-message-consent.ts'
import { journalEntryChange } from './entry-events.ts'
import { entrySummary, toEntry } from './entry-response.ts'
import { entryInsert } from './entry-write-queries.ts'
import { notifyEntry } from './notify-entry.ts'
import {
  addressLaterNotice,
  alreadyWaitingNotice,
  freeTimeNotices,
  immediateOfferNotices,
  offerImmediately,
  partyIgnoredNotice,
} from './offer-slot-on-join.ts'
import { entryCount, findDuplicateEntry, releaseBarrierLock, waitForWaitlist, waitlistLock } from './queries.ts'
import { lockWaitlist, readAgain } from './read-and-lock-entry.ts'
import { isAnyTime, lastWindowEnd, toStoredWindow } from './time-preferences.ts'

/** The maximum number of entries on the waitlist of one service, if the business definition sets no limit. */
const DEFAULT_LIMIT = 500

/**
 * The maximum number of characters of a buyer's preferred times, as JSON text. The largest allowed number of time
 * windows fits into this limit.
 */
const MAX_PREFERRED_CHARACTERS = 8_000

export const joinWaitlist = defineOperation<JoinWaitlist>({
  id: 'joinWaitlist',
  rest: 'POST /waitlist',
  tool: 'usp_waitlist_join',
  title: 'Join the waitlist',
  description:
    'Adds a buyer to the waitlist of a full service, for one slot or for suitable times. A slot that becomes free is offered to the first suitable entry, for a limited time.',
  capability: 'dev.usp-protocol.services.waitlist',
  access: 'privileged_platform',
  effect: 'create',
  ignores: ({ slot_id, preferred_slots = [] }) =>
    slot_id === undefined
      ? preferred_slots.flatMap((window, index) =>
          isAnyTime(window) ? [`$.preferred_slots[${index}].time_of_day`] : [],
        )
      : ['$.preferred_slots'],
  input: {
    type: 'object',
    required: ['service_id', 'buyer'],
    properties: {
      service_id: { type: 'string', minLength: 1, description: 'The service.' },
      slot_id: { type: 'string', minLength: 1, maxLength: 4000, description: 'Only this slot.' },
      buyer: shape('WaitlistBuyer'),
      party_size: { type: 'integer', minimum: 1, description: 'Has no effect: an entry always waits for one place.' },
      preferred_slots: {
        type: 'array',
        maxItems: 100,
        description: 'Suitable times; any time when left out.',
        items: {
          type: 'object',
          properties: {
            start_date: { type: 'string', format: 'date', description: 'First day.' },
            end_date: { type: 'string', format: 'date', description: 'Last day, inclusive.' },
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
  people: peopleOfEntry,
  summary: entrySummary,
  async handle(context) {
    const { input, caller, db, now, business, tag } = context
    const { service_id, slot_id = null, preferred_slots, party_size = 1 } = input
    await waitForWaitlist(db)
    const preferred = preferred_slots?.map(toStoredWindow) ?? null
    const plan = planOf(await business.get(), service_id)
    if (!plan) throw unknownService(service_id)
    const { service, zone, maxAdvance } = plan
    if (service.capacity?.waitlist !== true) throw invalidInput(`${service.name} has no waitlist.`, '$.service_id')
    const { min = 1 } = service.capacity
    if (min > 1)
      throw invalidInput(
        `${service.name} requires at least ${min} people, but a waitlist entry is for one place.`,
        '$.service_id',
      )
    const slot =
      slot_id === null ? undefined : await findSlot(db, plan.business, { tag, service: service_id, id: slot_id, now })
    if (slot) refuseOutsideWindow(slot, now)
    const windowsEnd = lastWindowEnd(preferred, zone, now)
    const ends_at = slot ? new Date(slot.time.start) : windowsEnd
    const notices = [
      ...(party_size > 1 ? [partyIgnoredNotice] : []),
      ...(service.channel.type === 'at_buyer_location' ? [addressLaterNotice] : []),
    ]

    checkPeople(input)
    checkLengths({ buyer: input.buyer })
    checkLengths({ preferred_slots: preferred ?? [] }, MAX_PREFERRED_CHARACTERS)
    // Other callers wait while this call holds the lock of the waitlist. Therefore the server searches for free times
    // before it takes this lock.
    const free = slot ? [] : await freeTimeNotices(context, plan, { preferred })
    await waitlistLock(db)
    // A transaction that releases time or places may already hold locks that `lockWaitlist` needs. Therefore this call
    // first waits until all such transactions have ended.
    await releaseBarrierLock(db)
    await lockWaitlist(db, now)
    const request = {
      service_id,
      slot_id,
      preferred,
      buyer: { ...personOf(withOwnConsentOnly(input.buyer, caller.principal)) },
    }
    const known = await findDuplicateEntry(db, caller, request, now)
    if (known) return { entry: toEntry(known, tag, zone), messages: [...notices, alreadyWaitingNotice], [STATUS]: 200 }
    // The email address may belong to another person. Therefore the answer to the caller does not mention an earlier
    // entry with this address. Only the mail to the address mentions the earlier entry.
    const earlier = await findDuplicateEntry(db, undefined, request, now)
    if ((await entryCount(db, service_id)) >= (service.waitlist?.limit ?? DEFAULT_LIMIT))
      throw new BusinessRefusal('waitlist_full', `The waitlist of ${service.name} is full. Try again later.`)
    const { principal, profile } = caller
    const id = newId('wle')
    if (caller.stranger) {
      useStrangerQuota(db, caller.stranger, { kind: 'entry', id }, now)
      useMailQuota(db, caller.stranger, { email: input.buyer.email }, now)
    }
    const notificationColumns = { told_apart: hasSeparateReceiver(caller), locale: caller.locale ?? null }
    await entryInsert(db, { ...request, id, principal, profile, ends_at, ...notificationColumns }, now)
    const joined = await readAgain(db, id, now)
    journalEntryChange(db, joined, { actor: principal, action: 'join', to: 'waiting' }, now)
    // The waitlist entry may never expire, but its credential (a secret that gives access) must expire. Such a
    // credential is valid until the last day that buyers can book today.
    const until = ends_at ?? new Date(now.getTime() + Math.min(maxAdvance, MAX_ADVANCE_MS))
    const credential = issueScopedCredential(db, { kind: 'waitlist_entry', id }, caller, {
      expiresAt: until,
      zone,
    })
    if (slot) await offerImmediately(context, slot)
    const entry = slot ? await readAgain(db, id, now) : joined
    // If the server has offered the slot immediately, the buyer gets only the notification about the offer.
    if (entry.status === 'waiting') notifyEntry(db, 'waitlist.joined', { ...entry, earlier: earlier?.id }, now)
    const messages = [...notices, ...free, ...immediateOfferNotices(entry, plan)]
    return {
      entry: toEntry(entry, tag, zone),
      ...(messages.length > 0 && { messages }),
      ...(credential && { booking_scoped_credential: credential }),
    }
  },
})
