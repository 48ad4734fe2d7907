import { afterAll, expect, test, vi } from 'vitest'
import { businessWith } from '../../../support/definitions.ts'
import { deskSalon } from '../receptionist.ts'

const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
/** Windows of a minute, every other minute of each day. */
const hours = Array.from({ length: 200 }, (_, nth) => ({
  days: ['monday' as const],
  opens: time(2 * nth),
  closes: time(2 * nth + 1),
}))
const { signedIn } = await deskSalon({}, businessWith([], { hours }))
const owner = await signedIn('owner')

const made: string[] = []
/** Says which formatters are made. */
const counting = new Proxy(Intl, {
  get(all, name) {
    const member: unknown = Reflect.get(all, name)
    if (typeof member !== 'function' || !member.prototype) return member
    return new Proxy(member, {
      construct(kind, given, target) {
        made.push(String(name))
        return Reflect.construct(kind, given, target)
      },
    })
  },
})
afterAll(() => void vi.unstubAllGlobals())

test('[no stored value stalls the server] a form of 200 opening hours makes each formatter once, and none the second time', async () => {
  vi.stubGlobal('Intl', counting)
  const first = await owner.open('/desk/setup/hours')
  expect(first.body.match(/type="checkbox"/g)?.length).toBeGreaterThan(1_000)
  expect(made.length).toBeLessThan(100)
  made.length = 0
  await owner.open('/desk/setup/hours')
  expect(made).toEqual([])
})
