import { describe, expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import type { Booking } from '../../src/protocol/types.generated.ts'
import { service } from '../support/definitions.ts'
import { type Desk, onBothDesks, type Said, type Slot, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { statusSet } from './booking-rows.ts'
import { tillDefinition } from './till.ts'

/**
 * The table of the specification (living §5.1.1), as literal text. "same" is accepted and changes nothing. This business
 * allows no move while the buyer has open actions.
 */
const SPECIFICATION = `
|                 | pending (manual) | pending (auto) | requires_action | confirmed | in_progress | completed | no_show | canceled | row     |
| cancel          | yes              | yes            | yes             | yes       | no          | no        | no      | no       | LIV-065 |
| reschedule      | yes              | yes            | no              | yes       | no          | no        | no      | no       | LIV-066 |
| confirm         | yes              | no             | no              | same      | no          | no        | no      | no       | LIV-070 |
| confirm-payment | no               | no             | yes             | same      | no          | no        | no      | no       | LIV-068 |
| update          | yes              | yes            | yes             | yes       | yes         | no        | no      | no       | LIV-069 |
`
/** The same operation in each status, before and after the buyer has paid. */
const PAYMENTS = `
|        | pending | requires_action | confirmed | in_progress | completed | no_show | canceled | expired |
| unpaid | no      | yes             | same      | no          | no        | no      | no       | late    |
| paid   | no      | same            | same      | no          | no        | no      | no       |         |
`
type Status = Booking['status']
type Mode = 'manual' | 'auto'

const modes: Mode[] = ['manual', 'auto']
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

function read(table: string) {
  const [head = '', ...lines] = table.trim().split('\n')
  const [, ...columns] = cellsOf(head)
  return lines.flatMap((line) => {
    const [row = '', ...cells] = cellsOf(line)
    return columns.map((column, index) => ({ row, column, cell: cells[index] ?? '', id: cells.at(-1) ?? '' }))
  })
}

const cases = read(SPECIFICATION)
  .filter(({ column }) => column !== 'row')
  .flatMap(({ row: operation, column, ...rest }) => {
    const [status = '', named] = column.split(/[ ()]+/)
    return modes
      .filter((mode) => !named || named === mode)
      .map((mode) => ({ ...rest, operation, status: status as Status, mode }))
  })
  .map((each) => {
    const isOnTerms = each.operation === 'reschedule' && ['pending', 'requires_action'].includes(each.status)
    return isOnTerms ? { ...each, id: 'LIV-067' } : each
  })
const payments = read(PAYMENTS).filter(({ cell }) => cell !== '')

const policies = { ...service('svc').policies, confirmation_mode: 'manual', requires_payment: false } as const
const free = { pricing: { model: 'free', currency: 'USD' }, policies } as const
const definition = {
  ...tillDefinition,
  services: [
    ...tillDefinition.services,
    service('svc_asked_free', free),
    service('svc_asked_fixed', { ...free, policies: { ...policies, rescheduling: { allowed: false } } }),
  ],
}
const services = {
  manual: { free: 'svc_asked_free', paid: 'svc_asked' },
  auto: { free: 'svc_free', paid: 'svc_paid' },
}

interface Operation {
  call(desk: Desk, booking: Slot, later: Slot): Promise<Said>
  /** What the operation changes in the booking. */
  done(later: Slot): object
  /** The code of an answer without a change. */
  same?: string | undefined
}
const operations: Record<string, Operation> = {
  cancel: {
    call: (desk, { id }) => desk.cancel(id),
    done: () => ({ status: 'canceled', cancellation: { canceled_by: 'buyer' } }),
  },
  reschedule: {
    call: (desk, { id }, later) => desk.reschedule(id, later),
    done: ({ id }) => ({ slot: { id } }),
  },
  confirm: {
    call: (desk, { id }) => desk.confirm(id),
    done: () => ({ status: 'confirmed' }),
  },
  'confirm-payment': {
    call: (desk, booking) => desk.pay(booking),
    done: () => ({ status: 'confirmed', payment: { status: 'paid', amount_due: 0, transaction_id: 'txn_1' } }),
    same: 'already_confirmed',
  },
  update: {
    call: (desk, { id }) => desk.update(id, { notes: 'Ring twice' }),
    done: () => ({ notes: 'Ring twice' }),
  },
}

test('[LIV-065] [LIV-066] [LIV-068] [LIV-069] [LIV-070] each operation has a cell for each status and mode', () => {
  expect(cases).toHaveLength(5 * 7 * 2)
  expect(new Set(cases.map(({ operation }) => operation))).toEqual(new Set(Object.keys(operations)))
  expect(payments).toHaveLength(15)
})

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const { db } = shop.runtime
    const current = async ({ id }: { id: string }) => (await desk.get(id)).data.booking

    async function booked(serviceId: string) {
      shop.time.now = START
      const [slot, , , , later] = await desk.slots(serviceId)
      return { booking: (await desk.book(slot)).data.booking, later }
    }

    /** Brings a booking to a status: by calls where calls lead there. */
    async function brought({ id, status: now }: Booking, status: Status): Promise<Slot> {
      if (now === 'pending' && status !== 'pending') await desk.confirm(id)
      if (status === 'canceled') await desk.cancel(id)
      if ((await current({ id })).status !== status) await statusSet(db, id, status)
      const booking = await current({ id })
      expect(booking.status).toBe(status)
      return booking
    }

    async function expectCell(cell: string, booking: Slot, { call, done, same }: Operation, later?: Slot) {
      const before = await tableContents(db)
      const said = await call(desk, booking, later)
      expect([said.status, said.rpc]).toEqual([200, undefined])
      if (cell === 'yes') {
        expect(said.code).toBeUndefined()
        expect(said.data.booking).toMatchObject({ id: booking.id, status: booking.status, ...done(later) })
        expect(await current(booking)).toEqual({ ...said.data.booking })
        return
      }
      expect(await tableContents(db)).toEqual(before)
      expect(await current(booking)).toEqual(booking)
      if (cell === 'same') expect([said.code, said.data.booking]).toEqual([same, booking])
      if (cell === 'late') expect([said.code, said.severity]).toEqual(['payment_expired', 'recoverable'])
      if (cell !== 'no') return
      expect([said.code, said.severity, said.data.messages.length]).toEqual(['invalid_transition', 'unrecoverable', 1])
      const sentences = `^The status of this booking is ${booking.status}, so [^.]+\\. [^.]+\\.$`
      expect(said.data.messages[0].content).toMatch(new RegExp(sentences))
    }

    describe('each operation in each status', () => {
      for (const { id, operation, status, mode, cell } of cases)
        test(`[${id}] ${operation} of a booking in ${mode} mode that is ${status}: ${cell}`, async () => {
          const { booking, later } = await booked(services[mode][status === 'requires_action' ? 'paid' : 'free'])
          const does = operations[operation]
          if (!does) throw new Error(`There is no operation ${operation}`)
          await expectCell(cell, await brought(booking, status), does, later)
        })

      test('[LIV-067] reschedule of a pending booking whose terms allow no move is refused', async () => {
        const { booking, later } = await booked('svc_asked_fixed')
        const before = await tableContents(db)
        const said = await desk.reschedule(booking.id, later)
        expect([said.status, said.rpc, said.code]).toEqual([200, undefined, 'invalid_transition'])
        expect(await tableContents(db)).toEqual(before)
      })

      test('[LIV-067] reschedule of a booking with open actions says to complete them first', async () => {
        const { booking, later } = await booked('svc_paid')
        const said = await desk.reschedule(booking.id, later)
        expect(said.data.messages[0].content).toMatch(/Complete its open actions first\.$/)
      })
    })

    describe('a reported payment in each status', () => {
      const does = operations['confirm-payment']
      if (!does) throw new Error('There is no such operation')

      /** A booking that waits for a waiver after its payment, or for nothing. */
      async function paid(status: Status): Promise<Slot> {
        const { booking } = await booked(status === 'requires_action' ? 'svc_signed' : 'svc_paid')
        const after = (await desk.pay(booking)).data.booking
        expect(after.payment.status).toBe('paid')
        return brought(after, status)
      }

      async function unpaid(status: string): Promise<Slot> {
        const { booking } = await booked(status === 'confirmed' ? 'svc_spot' : 'svc_paid')
        expect(booking.payment).not.toHaveProperty('transaction_id')
        if (status !== 'expired') return brought(booking, status as Status)
        shop.time.now = new Date(booking.expires_at)
        await expireOverdue(shop.runtime, shop.time.now)
        return current(booking)
      }

      for (const { row, column, cell } of payments)
        test(`[LIV-068] of a booking that is ${row} and ${column}: ${cell}`, async () => {
          const booking = row === 'paid' ? await paid(column as Status) : await unpaid(column)
          await expectCell(cell, booking, does)
        })
    })
  },
)
