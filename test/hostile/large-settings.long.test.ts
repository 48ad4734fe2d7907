import { beforeEach, expect, test } from 'vitest'
import type { BusinessDefinition, PriceRule } from '../../src/protocol/types.generated.ts'
import { deskSalon } from '../interfaces/desk/receptionist.ts'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'

/** Milliseconds of processor time. */
const AT_MOST = 100
const ROUNDS = 3

const people = Array.from({ length: 400 }, (_, nth) => ({
  id: `staff_${nth}`,
  type: 'staff' as const,
  name: `Somebody called ${nth}`,
  hours: [{ days: ['monday' as const, 'friday' as const], opens: '09:00', closes: '17:00' }],
}))
const rules: PriceRule[] = Array.from({ length: 200 }, (_, nth) => ({ name: `Rule ${nth}`, percent: 50 + nth }))

/** As much as can be set at the desk. */
const large: BusinessDefinition = businessWith(
  [
    service('svc_many', { resources: [{ type: 'staff', selectable: true, options: people.map(({ id }) => id) }] }),
    service('svc_dear', { price_rules: rules }),
    ...Array.from({ length: 200 }, (_, nth) => service(`svc_${nth}`)),
  ],
  { resources: people },
)

const { signedIn } = await deskSalon({}, large)
const owner = await signedIn('owner')

/** Milliseconds of the longest turn, in the best of some rounds. */
async function turnOf(work: () => Promise<unknown>): Promise<number> {
  const turns: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const end = longestTurn()
    await work()
    turns.push(end())
  }
  return Math.min(...turns)
}

beforeEach(async () => {
  await owner.open('/desk/setup')
})

test.each([
  ...['', '/yaml', '/business.yaml', '/hours', '/services', '/services/svc_many', '/services/svc_dear'],
  ...['/services/new', '/resources/staff_1'],
])('[no stored value stalls the server] the settings of a business of 600 people and services: %s', async (path) => {
  const turn = await turnOf(async () => expect((await owner.open(`/desk/setup${path}`)).status).toBe(200))
  expect(turn).toBeLessThan(AT_MOST * slowness())
})

test('[no stored value stalls the server] what is too much for a form is told, and where it can be changed', async () => {
  const { body } = await owner.open('/desk/setup/services/svc_dear')
  expect(body).toContain('too large for a form')
  expect(body).toContain('href="/desk/setup/yaml"')
  expect((await owner.open('/desk/setup/services/svc_0')).body).toContain('name="pricing.amount"')
})

const repeated = (names: [name: string, value: (nth: number) => string][], count: number) =>
  new URLSearchParams([
    ['version', '1'],
    ['do', 'review'],
    ['name', 'Ann'],
    ['type', 'staff'],
    ...names.flatMap(([name, value]) =>
      Array.from({ length: count }, (_, nth): [string, string] => [name, value(nth)]),
    ),
  ])

/** Every text of the form that is YAML. */
const freeTexts = (text: string) =>
  new URLSearchParams([
    ['version', '1'],
    ['do', 'review'],
    ['capabilities', text],
    ['supported_versions', text],
  ])

test.each<[what: string, path: string, form: () => URLSearchParams]>([
  [
    'rows in rows, each named hundreds of times',
    'resources/staff_1',
    () =>
      repeated(
        [
          ['rota.weeks', () => '0'],
          ['rota.weeks.0.hours', () => '0'],
        ],
        490,
      ),
  ],
  ['a thousand rows', 'resources/staff_1', () => repeated([['time_off', String]], 990)],
  ['a thousand things without an id', 'services/svc_0', () => repeated([['intake', String]], 990)],
  ['texts that are deep', 'other', () => freeTexts('['.repeat(1_000))],
  ['texts of pairs', 'other', () => freeTexts(Array.from({ length: 240 }, (_, one) => `k${one}: a`).join('\n'))],
  [
    'translations into a thousand languages',
    'services/svc_0',
    () => {
      const tags = Array.from({ length: 980 }, (_, nth) => `x-${nth}`)
      const texts = tags.map((tag): [string, string] => [`localized.name.${tag}`, 'a'.repeat(200)])
      return new URLSearchParams([['version', '1'], ['do', 'review'], ['localized.name', tags.join(' ')], ...texts])
    },
  ],
])('[no single request stalls the server] a form of settings of %s', async (_, path, form) => {
  const turn = await turnOf(async () => {
    const sent = form()
    sent.append('form', await owner.newToken())
    const { status } = await owner.sendForm(`/desk/setup/${path}`, sent)
    expect([200, 409]).toContain(status)
  })
  expect(turn).toBeLessThan(AT_MOST * slowness())
})
