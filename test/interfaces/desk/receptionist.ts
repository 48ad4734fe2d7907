import { staffLinkMake } from '../../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../../src/core/authentication/staff-members.ts'
import type { Role } from '../../../src/protocol/caller-types.ts'
import type { BusinessDefinition } from '../../../src/protocol/types.generated.ts'
import { browser } from '../../oauth/browser.ts'
import { businessWith, service } from '../../support/definitions.ts'
import { restDesk, testShop } from '../../support/desk.ts'

const { policies } = service('svc_any')
const here = { locations: ['loc_here'] }
const people = {
  ...here,
  resources: [{ type: 'staff' as const, options: ['staff_ann', 'staff_bob'], selectable: true }],
}

export const deskDefinition = businessWith(
  [
    service('svc_auto', { ...people, name: 'Haircut' }),
    service('svc_asked', { ...people, name: 'Advice', policies: { ...policies, confirmation_mode: 'manual' } }),
    service('svc_cat', {
      locations: ['loc_here', 'loc_there'],
      resources: [{ type: 'staff', options: ['staff_cat'], selectable: true }],
      name: 'Wash',
    }),
    service('svc_paid', { ...here, name: 'Massage', policies: { ...policies, payment_timing: 'at_booking' } }),
  ],
  {
    locations: [
      { id: 'loc_here', name: 'Here' },
      { id: 'loc_there', name: 'There' },
    ],
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_bob', type: 'staff', name: 'Bob' },
      { id: 'staff_cat', type: 'staff', name: 'Cat', hours: [{ days: ['tuesday'], opens: '09:00', closes: '18:00' }] },
    ],
  },
)

/** A salon whose staff sit at the desk. */
export async function deskSalon(
  env: NodeJS.ProcessEnv = {},
  definition: BusinessDefinition = deskDefinition,
  databaseUrl = '',
) {
  const shop = await testShop(definition, { env, databaseUrl })
  const { db } = shop.runtime
  const platform = restDesk(shop)
  const now = () => shop.time.now
  const hire = async (role: Role, name = `Jo ${role} ${Math.random()}`) => {
    await addStaff(db, name, role, now())
    const [{ id } = { id: '' }] = await findStaff(db, name)
    return { id, name, link: async () => new URL(await staffLinkMake(db, 'http://127.0.0.1:8080', id, now())).pathname }
  }
  const person = () => {
    const one = browser(shop)
    let [token, sent] = ['', 0]
    const open = async (url: string, headers = {}) => {
      const answer = await one.visit('GET', url, undefined, headers)
      token = tokenOf(String(answer.body)) || token
      return answer
    }
    const isSignedIn = () => [...one.jar.keys()].some((name) => /^(__Host-)?usp_desk /.test(name))
    /** As from a form that was never sent before. */
    const newToken = async () => {
      if (token === '') await open('/desk/devices')
      return `${token}-${++sent}`
    }
    return {
      jar: one.jar,
      open,
      newToken,
      sendForm: (url: string, form: URLSearchParams) => one.visit('POST', url, form),
      async send(url: string, form: Record<string, string> = {}, headers = {}) {
        const whole = form.form === undefined && isSignedIn() ? { ...form, form: await newToken() } : form
        return one.visit('POST', url, new URLSearchParams(whole), headers)
      },
    }
  }
  return {
    shop,
    hire,
    person,
    /** Somebody of this role who is signed in. */
    async signedIn(role: Role) {
      const [who, one] = [await hire(role), person()]
      await one.send(await who.link())
      return { ...one, who }
    },
    /** As a platform books it. */
    async booked(id: string, more: Record<string, unknown> = {}) {
      const [slot] = await platform.slots(id)
      return { slot, booking: (await platform.book(slot, more)).data.booking }
    },
    platform,
  }
}

/** The token of the first form of a page. */
export const tokenOf = (body: string): string => / name="form" value="([^"]+)"/.exec(body)?.[1] ?? ''
