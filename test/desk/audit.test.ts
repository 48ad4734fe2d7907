import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { addPicture } from '../../src/domain/desk/setup/add-picture.ts'
import en from '../../src/infra/i18n/texts/en.json' with { type: 'json' }
import { DAY } from '../../src/infra/time/time-units.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { settingsOf } from '../company/company-salon.ts'
import { providerStandIn } from '../company/stand-in.ts'
import { onBothDesks, testShop, WEEK } from '../support/desk.ts'
import { sampleOf } from '../support/samples.ts'
import { unreturnedCharge } from '../support/unreturned-charge.ts'
import { person } from '../waitlist/queue.ts'
import { at, studio, tuesday, walkIn } from './studio.ts'

const free = studio.services.find(({ id }) => id === 'svc_asked')
const queue: ServiceDefinition[] = free
  ? [
      {
        ...free,
        id: 'svc_queue',
        type: 'group',
        capacity: { max: 1, waitlist: true },
        policies: { ...free.policies, confirmation_mode: 'auto' },
        sessions: [{ days: ['tuesday', 'wednesday', 'thursday', 'friday', 'saturday'], starts: '09:00' }],
      },
    ]
  : []

/** What stays: who did what to which thing, and from what to what it went. */
interface Entry {
  subject: string
  actor: string
  action: string
  from_status: string | null
  to_status: string | null
}

const provider = await providerStandIn()

await onBothDesks(
  () => testShop({ ...studio, services: [...studio.services, ...queue] }),
  (desk, shop) => {
    const staff = async (what: string, input: Record<string, unknown>, as = shop.staff) =>
      (await desk.call(`usp_business_${what}`, input, { as })).data
    const waitlist = async (what: string, input: Record<string, unknown>) =>
      (await desk.call(`usp_waitlist_${what}`, input)).data
    const changes = (): Promise<Entry[]> =>
      shop.runtime.db
        .selectFrom('changes')
        .select(['subject', 'actor', 'action', 'from_status', 'to_status'])
        .orderBy('number')
        .execute()

    let nth = 0
    let classes = 0
    const booked = async (service: string) => (await desk.book((await desk.slots(service))[0])).data.booking
    const paid = async (service: string) => (await desk.pay(await booked(service))).data.booking
    const begun = async (service: string) => {
      const booking = await booked(service)
      await staff('bookings_start', { booking_id: booking.id })
      return booking
    }
    const begunNow = async () => {
      const { booking } = await staff('bookings_create', {
        service_id: 'svc_bike',
        start: tuesday('09:00'),
        buyer: walkIn,
      })
      await staff('bookings_start', { booking_id: booking.id })
      return booking
    }
    const disputed = async () => {
      const booking = await paid('svc_paid')
      await staff('bookings_dispute_open', { booking_id: booking.id, reason: 'duplicate' })
      return booking
    }
    const session = async () => (await staff('sessions_list', { service_id: 'svc_class', ...WEEK })).sessions[classes++]
    /** Somebody in line for a class that is full, or that is offered a place in it. */
    const waiting = async (name: string, { isOffered = false, isForSlot = true } = {}) => {
      const slot = (await desk.slots('svc_queue', { end_date: '2026-12-10' })).find(
        ({ state }) => state === 'available',
      )
      const { booking } = (await desk.book(slot)).data
      const { entry } = await waitlist('join', {
        service_id: 'svc_queue',
        buyer: person(name),
        ...(isForSlot && { slot_id: slot.id }),
      })
      if (isOffered) await desk.cancel(booking.id)
      return { ...entry, slot }
    }
    const ends = async (entry: { id: string }) => void (await waitlist('leave', { entry_id: entry.id }))

    type Case = [what: string, act: () => Promise<{ subject: string } & Partial<Entry>>]
    const connected = async () =>
      (
        await staff('connected_calendars_connect', {
          resource_id: 'staff_ann',
          address: `https://127.0.0.1/${nth++}.ics`,
        })
      ).source
    const calendarCases: Case[] = [
      [
        'connected_calendars_connect',
        async () => ({ subject: `connected_calendar ${(await connected()).id}`, action: 'connect_calendar' }),
      ],
      [
        'connected_calendars_refresh',
        async () => {
          const { id } = await connected()
          await staff('connected_calendars_refresh', { source_id: id })
          return { subject: `connected_calendar ${id}`, action: 'refresh_calendar' }
        },
      ],
      [
        'connected_calendars_disconnect',
        async () => {
          const { id } = await connected()
          await staff('connected_calendars_disconnect', { source_id: id })
          return { subject: `connected_calendar ${id}`, action: 'disconnect_calendar' }
        },
      ],
    ]
    const byStaff: Case[] = [
      [
        'calendars_create',
        async () => {
          const { calendar } = await staff('calendars_create', {})
          return { subject: `calendar ${calendar.id}`, action: 'create' }
        },
      ],
      [
        'calendars_revoke',
        async () => {
          const { calendar } = await staff('calendars_create', {})
          await staff('calendars_revoke', { calendar_id: calendar.id })
          return { subject: `calendar ${calendar.id}`, action: 'revoke' }
        },
      ],
      ...calendarCases,
      [
        'bookings_create',
        async () => {
          const wish = { service_id: 'svc_table', start: tuesday('12:00'), buyer: walkIn, party_size: 2 }
          const { booking } = await staff('bookings_create', wish)
          return { subject: `booking ${booking.id}`, action: 'create', from_status: null, to_status: 'confirmed' }
        },
      ],
      ['bookings_decline', () => step(booked('svc_asked'), 'decline', {}, ['decline', 'pending', 'canceled'])],
      ['bookings_start', () => step(booked('svc_counter'), 'start', {}, ['start', 'confirmed', 'in_progress'])],
      [
        'bookings_adjust',
        () => step(begunNow(), 'adjust', { end: tuesday('11:30') }, ['adjust', 'in_progress', 'in_progress']),
      ],
      ['bookings_complete', () => step(begun('svc_counter'), 'complete', {}, ['complete', 'in_progress', 'completed'])],
      [
        'bookings_no_show',
        async () => {
          const { id, slot } = await booked('svc_cut')
          await at(shop, slot.end, () => staff('bookings_no_show', { booking_id: id }))
          return { subject: `booking ${id}`, action: 'no_show', from_status: 'confirmed', to_status: 'no_show' }
        },
      ],
      [
        'bookings_correct',
        () => step(booked('svc_counter'), 'correct', { notes: 'Late' }, ['correct', 'confirmed', 'confirmed']),
      ],
      ...(['note', 'merge', 'split'] as const).map(
        (action): Case => [
          `customers_${action}`,
          async () => {
            const [slot] = await desk.slots('svc_counter')
            nth++
            const buyer = { ...person(`Cleo${nth}`), phone_number: `+1212555${String(nth).padStart(4, '0')}` }
            // The staff enter the number, so it is a contact of the customer as well.
            const { booking } = await staff('bookings_create', { service_id: 'svc_counter', start: slot.start, buyer })
            const other = await booked('svc_counter')
            const { customer } = await staff('customers_note', { customer_id: booking.id, note: 'Likes tea' })
            const more = {
              note: { note: 'x' },
              merge: { other_id: other.id },
              split: { contact: buyer.email.toLowerCase() },
            }
            await staff(`customers_${action}`, { customer_id: customer.id, ...more[action] })
            return { subject: `customer ${customer.id}`, action, from_status: null, to_status: null }
          },
        ],
      ),
      [
        'bookings_notify_of_move',
        async () => {
          const { id } = await booked('svc_counter')
          const slot = (await desk.slots('svc_counter')).at(-1)
          await staff('bookings_reschedule', { booking_id: id, slot_id: slot.id, notify_buyer: false })
          await staff('bookings_notify_of_move', { booking_id: id, notify_buyer: true })
          return { subject: `booking ${id}`, action: 'notify_of_move', from_status: null, to_status: null }
        },
      ],
      [
        'bookings_tell_again',
        async () => {
          const { id } = await booked('svc_counter')
          await staff('bookings_cancel', { booking_id: id })
          await sendDueMails(shop.runtime)
          const { told } = await staff('bookings_told', { booking_id: id })
          const mail = told.find(({ way }: { way: string }) => way === 'mail')
          await staff('bookings_tell_again', { booking_id: id, told_id: mail.id })
          return { subject: `booking ${id}`, action: 'tell_again', from_status: null, to_status: null }
        },
      ],
      ...(['invite', 'link', 'change', 'remove'] as const).map(
        (action): Case => [
          `staff_${action}`,
          async () => {
            const { staff: one } = await staff('staff_invite', { name: 'Kim', role: 'staff' })
            const more = action === 'change' ? { role: 'viewer' } : {}
            if (action !== 'invite') await staff(`staff_${action}`, { staff_id: one.id, ...more })
            const [from_status, to_status] = (
              {
                invite: [null, 'staff'],
                link: [null, null],
                change: ['staff', 'viewer'],
                remove: ['staff', null],
              } as const
            )[action]
            return { subject: `staff ${one.id}`, action, from_status, to_status }
          },
        ],
      ),
      ['bookings_cancel', () => step(booked('svc_counter'), 'cancel', {}, ['cancel', 'confirmed', 'canceled'])],
      [
        'bookings_reschedule',
        async () => {
          const slot = (await desk.slots('svc_counter')).at(-1)
          return step(booked('svc_counter'), 'reschedule', { slot_id: slot.id }, [
            'reschedule',
            'confirmed',
            'confirmed',
          ])
        },
      ],
      [
        'bookings_import',
        async () => {
          const row = { key: '1', service_id: 'svc_bike', start: tuesday('15:00'), buyer: walkIn }
          const { results } = await staff('bookings_import', { source: 'elsewhere', bookings: [row] })
          return {
            subject: `booking ${results[0].booking_id}`,
            action: 'create',
            from_status: null,
            to_status: 'confirmed',
          }
        },
      ],
      [
        'bookings_series_book',
        async () => {
          const { id } = await booked('svc_counter')
          const { bookings } = await staff('bookings_series_book', {
            booking_id: id,
            starts: ['2026-12-02T15:00:00-05:00'],
          })
          return { subject: `booking ${bookings[0].id}`, action: 'create', from_status: null, to_status: 'confirmed' }
        },
      ],
      [
        'bookings_series_move',
        async () => {
          const { id, slot: before } = await booked('svc_counter')
          const next = new Date(Date.parse(before.start) + 7 * DAY).toISOString()
          await staff('bookings_series_book', { booking_id: id, starts: [next] })
          const slot = (await desk.slots('svc_counter')).at(-1)
          await staff('bookings_series_move', { booking_id: id, slot_id: slot.id })
          return { subject: `booking ${id}`, action: 'reschedule', from_status: 'confirmed', to_status: 'confirmed' }
        },
      ],
      [
        'bookings_series_cancel',
        async () => {
          const { id } = await booked('svc_counter')
          await staff('bookings_series_book', { booking_id: id, starts: ['2026-12-01T15:00:00-05:00'] })
          await staff('bookings_series_cancel', { booking_id: id })
          return { subject: `booking ${id}`, action: 'cancel', from_status: 'confirmed', to_status: 'canceled' }
        },
      ],
      [
        'bookings_mark_paid',
        () => step(booked('svc_paid'), 'mark_paid', {}, ['complete_payment', 'requires_action', 'confirmed']),
      ],
      ['bookings_refund', () => step(paid('svc_paid'), 'refund', {}, ['refund', 'confirmed', 'confirmed'])],
      [
        'bookings_dispute_open',
        () =>
          step(paid('svc_paid'), 'dispute_open', { reason: 'duplicate' }, ['dispute_open', 'confirmed', 'confirmed']),
      ],
      [
        'bookings_dispute_review',
        () => step(disputed(), 'dispute_review', {}, ['dispute_review', 'confirmed', 'confirmed']),
      ],
      [
        'bookings_dispute_resolve',
        () =>
          step(disputed(), 'dispute_resolve', { in_favor_of: 'buyer' }, ['dispute_resolve', 'confirmed', 'confirmed']),
      ],
      ['bookings_erase', () => step(booked('svc_counter'), 'erase', {}, ['erase', 'confirmed', 'confirmed'])],
      [
        'buyers_erase',
        async () => {
          const [slot] = await desk.slots('svc_room')
          const { booking } = (await desk.book(slot, { buyer: person('Zoe') })).data
          await staff('buyers_erase', { email: person('Zoe').email })
          return { subject: `booking ${booking.id}`, action: 'erase', from_status: 'confirmed', to_status: 'confirmed' }
        },
      ],
      [
        'blocks_create',
        async () => {
          const { block } = await staff('blocks_create', blocked('10:00', '11:00'))
          return { subject: `block ${block.id}`, action: 'block', from_status: null, to_status: 'blocked' }
        },
      ],
      [
        'blocks_remove',
        async () => {
          const { block } = await staff('blocks_create', blocked('11:00', '12:00'))
          await staff('blocks_remove', { block_id: block.id })
          return { subject: `block ${block.id}`, action: 'unblock', from_status: 'blocked', to_status: null }
        },
      ],
      [
        'time_clear',
        async () => {
          const { booking } = await staff('bookings_create', {
            service_id: 'svc_cut',
            resource_ids: ['staff_ann'],
            start: '2026-12-01T12:00:00-05:00',
            buyer: walkIn,
            override: ['hours', 'booking_window'],
          })
          const away = { resource_id: 'staff_ann', start: booking.slot.start, end: booking.slot.end }
          const decision = { booking_id: booking.id, revision: booking.revision, action: 'cancel' }
          await staff('time_clear', { ...away, bookings: [decision] })
          return { subject: `booking ${booking.id}`, action: 'cancel', from_status: 'confirmed', to_status: 'canceled' }
        },
      ],
      [
        'definition_apply',
        async () => {
          const { definition } = await staff('definition_get', {})
          await staff('definition_apply', { definition: `${definition}website:\n  welcome: Come in.\n` })
          return { subject: 'business', action: 'apply', from_status: null, to_status: null }
        },
      ],
      [
        'pictures_add',
        async () => {
          await staff('pictures_add', sampleOf(addPicture))
          return { subject: 'business', action: 'add_picture', from_status: null, to_status: null }
        },
      ],
      ...(['set', 'test', 'remove'] as const).map(
        (what): Case => [
          `mail_server_${what}`,
          async () => {
            const owner = await shop.staffAs('owner')
            const server = { host: '127.0.0.1', port: 25, security: 'tls', sender: 'salon@example.com' }
            const input = { set: server, test: { to: 'a@example.com' }, remove: {} }[what]
            if (what === 'remove') await staff('mail_server_set', server, owner)
            await staff(`mail_server_${what}`, input, owner)
            return { subject: 'business', action: `${what}_mail_server`, from_status: null, to_status: null }
          },
        ],
      ),
      ...(['set', 'test', 'remove'] as const).map(
        (what): Case => [
          `text_provider_${what}`,
          async () => {
            const owner = await shop.staffAs('owner')
            const rules = { countries: ['US'], topics: ['reminder'], daily_limit: 10 }
            const provider = { adapter: 'http', url: 'https://127.0.0.1:9443/', secret: 'x', sender: 'Salon', ...rules }
            const input = { set: provider, test: { to: '+12125550171' }, remove: {} }[what]
            if (what !== 'set') await staff('text_provider_set', provider, owner)
            await staff(`text_provider_${what}`, input, owner)
            return { subject: 'business', action: `${what}_text_provider`, from_status: null, to_status: null }
          },
        ],
      ),
      ...(['set', 'remove'] as const).map(
        (what): Case => [
          `company_sign_in_${what}`,
          async () => {
            const owner = await shop.staffAs('owner')
            const settings = settingsOf(provider)
            await staff('company_sign_in_set', settings, owner)
            if (what === 'remove') await staff('company_sign_in_remove', {}, owner)
            return { subject: 'business', action: `${what}_company_sign_in`, from_status: null, to_status: null }
          },
        ],
      ),
      ...(['set', 'remove'] as const).map(
        (what): Case => [
          'calendar_apps_set',
          async () => {
            const owner = await shop.staffAs('owner')
            await staff('calendar_apps_set', { provider: 'google', client_id: 'desk', client_secret: 'x' }, owner)
            if (what === 'remove') await staff('calendar_apps_set', { provider: 'google' }, owner)
            return { subject: 'business', action: `${what}_calendar_app`, from_status: null, to_status: null }
          },
        ],
      ),
      [
        'bookings_keep',
        async () => {
          const { id } = await booked('svc_counter')
          const { definition } = await staff('definition_get', {})
          await staff('definition_apply', { definition: definition.replace('id: svc_counter', 'id: svc_counted') })
          await staff('bookings_keep', { booking_id: id })
          await staff('definition_apply', { definition })
          // In force at once, not only within a second.
          await shop.runtime.business.seenBy(shop.runtime.db)
          return { subject: `booking ${id}`, action: 'keep', from_status: 'confirmed', to_status: 'confirmed' }
        },
      ],
      ...(['send_again', 'dismiss'] as const).map(
        (what): Case => [
          `inbox_${what}`,
          async () => {
            const { id } = await booked('svc_counter')
            await staff('bookings_cancel', { booking_id: id })
            await sql`update mails set status = 'given_up' where subject = ${`booking ${id}`}`.execute(shop.runtime.db)
            const { given_up } = await staff('inbox_given_up', {})
            await staff(`inbox_${what}`, { told_id: given_up[0].id })
            return { subject: `booking ${id}`, action: what === 'dismiss' ? 'dismiss' : 'tell_again' }
          },
        ],
      ),
      [
        'inbox_mark_returned',
        async () => {
          const { charge, checkout } = await unreturnedCharge(shop.runtime.db, shop.time.now)
          await staff('inbox_mark_returned', { charge_id: charge })
          return {
            subject: `checkout ${checkout}`,
            action: 'return_by_hand',
            from_status: 'unreturned',
            to_status: 'reversed',
          }
        },
      ],
      [
        'bookings_payment_correct',
        async () => {
          const { id } = await booked('svc_counter')
          await staff('bookings_mark_paid', { booking_id: id, amount: 12000, kind: 'cash' })
          const [{ id: payment_id }] = (await staff('bookings_get', { booking_id: id })).payments
          await staff('bookings_payment_correct', { booking_id: id, payment_id, kind: 'card' })
          return {
            subject: `booking ${id}`,
            action: 'correct_payment',
            from_status: 'confirmed',
            to_status: 'confirmed',
          }
        },
      ],
      [
        'sessions_resize',
        async () => {
          const { id } = await session()
          await staff('sessions_resize', { session_id: id, capacity: 7 })
          return { subject: `session ${id}`, action: 'resize', from_status: null, to_status: null }
        },
      ],
      [
        'sessions_cancel',
        async () => {
          const { id } = await session()
          await staff('sessions_cancel', { session_id: id })
          return { subject: `session ${id}`, action: 'cancel', from_status: 'open', to_status: 'canceled' }
        },
      ],
      [
        'waitlist_move',
        async () => {
          const [, second] = [await waiting('Ann'), await waiting('Bob', { isForSlot: false })]
          await staff('waitlist_move', { entry_id: second.id, position: 1 })
          return { subject: `entry ${second.id}`, action: 'move', from_status: 'waiting', to_status: 'waiting' }
        },
      ],
      [
        'waitlist_offer',
        async () => {
          const entry = await waiting('Cid')
          const other = (await desk.slots('svc_queue')).find(({ state }) => state === 'available')
          await staff('waitlist_offer', { entry_id: entry.id, slot_id: other.id })
          return { subject: `entry ${entry.id}`, action: 'offer', from_status: 'waiting', to_status: 'offered' }
        },
      ],
      [
        'waitlist_remove',
        async () => {
          const entry = await waiting('Dan')
          await staff('waitlist_remove', { entry_id: entry.id })
          return { subject: `entry ${entry.id}`, action: 'removed', from_status: 'waiting', to_status: 'removed' }
        },
      ],
    ]

    async function step(
      made: Promise<{ id: string }>,
      what: string,
      more: object,
      [action, from_status, to_status]: [string, string, string],
    ) {
      const { id } = await made
      await staff(`bookings_${what}`, { booking_id: id, ...more })
      return { subject: `booking ${id}`, action, from_status, to_status }
    }
    const blocked = (start: string, end: string) => ({
      resource_id: 'staff_cat',
      start: tuesday(start),
      end: tuesday(end),
    })
    const lastOf = async (subject: string) => (await changes()).findLast((entry) => entry.subject === subject)

    test.each(byStaff)('[whoever changes something is named] usp_business_%s', async (_, act) => {
      const expected = await act()
      expect(await lastOf(expected.subject)).toMatchObject({ ...expected, actor: expect.stringMatching(/^staff:/) })
    })

    test.each<[string, boolean, boolean, Partial<Entry>]>([
      ['leave', false, true, { action: 'removed', from_status: 'waiting', to_status: 'removed' }],
      ['accept', true, true, { action: 'accepted', from_status: 'offered', to_status: 'accepted' }],
      ['decline', true, true, { action: 'removed', from_status: 'offered', to_status: 'removed' }],
      ['decline', true, false, { action: 'decline', from_status: 'offered', to_status: 'waiting' }],
    ])(
      '[whoever changes something is named] usp_waitlist_%s, offered a place: %s, of that class alone: %s',
      async (what, isOffered, isForSlot, expected) => {
        for (const { id } of (await waitlist('list', { service_id: 'svc_queue' })).entries) await ends({ id })
        const entry = await waiting(`Eve${nth++}`, { isOffered, isForSlot })
        await waitlist(what, { entry_id: entry.id })
        const actor = shop.platform.principal
        expect(await lastOf(`entry ${entry.id}`)).toMatchObject({ ...expected, actor })
      },
    )

    test('[whoever changes something is named] no operation of the staff is missing here', () => {
      const changing = operations
        .filter(({ tool, effect }) => tool.startsWith('usp_business_') && effect !== 'read')
        .map(({ tool }) => tool.slice('usp_business_'.length))
      // What is sent once more changes nothing but when it is sent; each attempt is kept.
      expect(changing.filter((one) => !byStaff.some(([what]) => what === one))).toEqual(['deliveries_replay'])
    })

    test('[the story of a booking] has words for whatever was done to one above', async () => {
      const ofBookings = (await changes()).filter(({ subject }) => subject.startsWith('booking '))
      const actions = [...new Set(ofBookings.map(({ action }) => action))]
      expect(actions.length).toBeGreaterThan(15)
      expect(actions.filter((action) => !Object.hasOwn(en, `desk.did.${action}`))).toEqual([])
    })
  },
)
