import { compose } from '../../src/core/mails/notification-text.ts'
import { mailList } from '../../src/core/mails/queries.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { browser } from '../oauth/browser.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, restDesk, testShop } from '../support/desk.ts'
import type { Answer, TestServer } from '../support/server.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const group = { type: 'group' as const, capacity: { max: 1, waitlist: true } }

export const studio = (more: Partial<BusinessDefinition> = {}): BusinessDefinition => ({
  ...businessWith(
    [
      service('svc_a', { name: 'Haircut' }),
      service('svc_class', { ...group, name: 'Yoga', sessions: [{ days: [...EVERY_DAY], starts: '10:00' }] }),
    ],
    more,
  ),
  hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }],
})

/** A shop whose buyers look for what they have booked. */
export async function myShop(definition = studio(), env: NodeJS.ProcessEnv = {}) {
  const shop = await testShop(definition, { env: { TRUST_PROXY: '127.0.0.1', ...env } })
  const desk = restDesk(shop)
  return { shop, desk, ...ways(shop), book: bookingFor(desk) }
}

let used = 0

/** Each at a time of its own. */
const bookingFor =
  (desk: Desk) =>
  async (email: string, more: object = {}): Promise<string> => {
    const slot = (await desk.slots('svc_a')).at(used++ % 30)
    const said = await desk.book(slot, { buyer: { first_name: 'Alice', last_name: 'Williams', email }, ...more })
    return said.data.booking.id
  }

let networks = 1

/** What is done in a browser, and what comes by mail. */
export function ways(shop: TestServer) {
  /** Each from a network of its own, unless it is named. */
  const person = (address = `203.0.${networks++ % 250}.7`) => {
    const one = browser(shop)
    const from = { 'x-forwarded-for': address }
    return {
      jar: one.jar,
      open: (url: string): Promise<Answer> => one.visit('GET', url, undefined, from),
      follow: (url: string) => one.open(url),
      send: (url: string, form: Record<string, string> = {}, headers = {}): Promise<Answer> =>
        one.visit('POST', url, new URLSearchParams(form), { ...from, ...headers }),
      async ask(email: string, more: Record<string, string> = {}): Promise<Answer> {
        const page = await this.open(`/my${more.back === undefined ? '' : `?back=${encodeURIComponent(more.back)}`}`)
        return this.send('/my', { do: 'ask', form: tokenIn(page), email, ...more })
      },
    }
  }
  /** The mails with a link to an address, the newest first. */
  const mailsTo = async (email: string) => {
    const definition = await shop.runtime.business.get()
    const rows = (await mailList(shop.runtime.db, { limit: 500 })).filter(
      ({ kind, recipient }) => kind === 'sign_in' && recipient === email,
    )
    return rows.map((row) => ({ row, letter: definition && compose(row, shop.runtime.letters, definition)?.letter }))
  }
  const linkTo = async (email: string): Promise<string> => {
    const [mail] = await mailsTo(email)
    const { pathname, search } = new URL(mail?.letter?.actions?.[0]?.url ?? 'http://nowhere/none')
    return pathname + search
  }
  return {
    person,
    mailsTo,
    linkTo,
    /** From the form to the bookings. */
    async enter(email: string, one = person()) {
      await one.ask(email)
      await one.send(await linkTo(email.trim().toLowerCase()))
      return one
    },
  }
}

export type Person = ReturnType<ReturnType<typeof ways>['person']>

export const tokenIn = ({ body }: Answer): string => /name="form" value="([^"]*)"/.exec(String(body))?.[1] ?? ''

/** But for what says when a form was made. */
export const sameBut = ({ status, body }: Answer) => ({
  status,
  body: String(body).replace(/name="form" value="[^"]*"/g, ''),
})
