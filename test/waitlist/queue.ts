import { businessWith, service } from '../support/definitions.ts'
import { buyer, type Desk, type Shop, testShop } from '../support/desk.ts'

export const person = (name: string) => ({ ...buyer, first_name: name, email: `${name.toLowerCase()}@example.com` })

export const CLASS = 'svc_class'

/** Classes on three days, of one place each: whoever comes second has to wait. */
export const classOfOne = service(CLASS, {
  type: 'group',
  capacity: { max: 1, waitlist: true },
  sessions: [{ days: ['tuesday', 'wednesday', 'thursday'], starts: '10:00' }],
})

export const business = businessWith([classOfOne, service('svc_plain')])

export const openShop = (definition = business): Promise<Shop> => testShop(definition)

/** What is done with the line, by a desk. */
export function lineOf(desk: Desk) {
  const call = (what: string, input: Record<string, unknown>, ask = {}) => desk.call(`usp_waitlist_${what}`, input, ask)
  const on =
    (what: string) =>
    (entry_id: string, more: Record<string, unknown> = {}, ask = {}) =>
      call(what, { entry_id, ...more }, ask)
  return {
    join: (name: string, more: Record<string, unknown> = {}, ask = {}) =>
      call('join', { service_id: CLASS, buyer: person(name), ...more }, ask),
    /** Joins and answers the entry. */
    wait: async (name: string, more: Record<string, unknown> = {}) =>
      (await call('join', { service_id: CLASS, buyer: person(name), ...more })).data.entry,
    list: (more: Record<string, unknown> = {}, ask = {}) => call('list', more, ask),
    read: on('get'),
    leave: on('leave'),
    accept: on('accept'),
    decline: on('decline'),
    entry: async (id: string) => (await call('get', { entry_id: id })).data.entry,
    /** Books every class, so that there is something to wait for. */
    async fill() {
      const bookings = []
      for (const slot of await desk.slots(CLASS)) bookings.push((await desk.book(slot)).data.booking)
      return bookings
    },
  }
}
