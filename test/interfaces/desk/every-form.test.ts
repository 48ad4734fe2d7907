import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deskPages } from '../../../src/interfaces/desk/desk-routes.ts'
import { stateOf } from '../../access/things.ts'
import { providerStandIn } from '../../company/stand-in.ts'
import type { Answer } from '../../support/server.ts'
import { deedIn, richSalon } from './rich-salon.ts'
import { type Form, formsIn, walk } from './walk.ts'

const posts = new Set<string>()
subscribe('fastify.initialization', (message) => {
  const { fastify }: { fastify?: FastifyInstance } = Object(message)
  fastify?.addHook(
    'onRoute',
    ({ url, method }) => void (method === 'POST' && /^\/desk(\/|$)/.test(url) && posts.add(url)),
  )
})

/** What the entrance takes: from browsers in which nobody is signed in, or what a passkey is asked. Nothing of the business changes. */
const ENTRANCE = ['/desk/enter', '/desk/enter/:secret', '/desk/enter/options', '/desk/passkey/options']

async function opened() {
  const salon = await richSalon()
  const owner = await salon.signedIn('owner')
  await salon.person().send(await owner.who.link())
  const { bodies, forms } = await walk(owner)
  const routes = deskPages(salon.shop.runtime)
  return { ...salon, owner, link: await owner.who.link(), bodies, forms, routes }
}
type Opened = Awaited<ReturnType<typeof opened>>

const [once, again] = await Promise.all([opened(), opened()])

/** An address on which nothing listens. */
const CALENDAR = 'https://127.0.0.1:9/calendar.ics'

const { issuer } = await providerStandIn()

/** What the forms of these settings need. */
const SETTINGS: Record<string, Record<string, string>> = {
  'mail-server': { host: '127.0.0.1', port: '25', sender: 'salon@example.com' },
  'company-sign-in': { name: 'Google', issuer, client_id: 'x', client_secret: 'x', domains: 'example.com' },
  'google-calendar': { client_id: 'x', client_secret: 'x' },
  'microsoft-calendar': { client_id: 'x', client_secret: 'x' },
  'text-messages': { adapter: 'http', url: 'https://127.0.0.1:9/', secret: 'x', sender: 'Salon', countries: 'US' },
}

/**
 * What a browser sends when the button is pressed: with a name wherever one is needed, and another one in the settings.
 * A booking is moved with the box ticked that allows times outside hours, for the walk may come to the one on the closed day.
 */
function sent(deed: string, { action, fields, button }: Form): URLSearchParams {
  const isChanged = deed.endsWith(' review')
  const filled = fields.map(([name, value]) => {
    if (isChanged && value !== '' && /(^|\.)name$/.test(name)) return [name, `${value}!`]
    const asked = SETTINGS[action.split('/').at(-1) ?? '']?.[name]
    if (action.endsWith('/calendars') && name === 'address') return [name, CALENDAR]
    return [name, asked ?? (value === '' && /^(first_)?name$/.test(name) ? 'Ada' : value)]
  })
  const override = action.split('?')[0]?.endsWith('/move') ? [['override', 'yes']] : []
  return new URLSearchParams([...filled, ...override, ...(button ? [button] : [])])
}

describe('[every form of the desk has a token]', () => {
  test('and no two forms of a page have the same', () => {
    for (const [page, body] of once.bodies) {
      const tags = [...body.matchAll(/<form\b[^>]*>/g)].map(([tag]) => tag)
      const changing = tags.filter((tag) => !tag.includes(' method="get"'))
      const tokens = [
        ...body.matchAll(/<form\b[^>]*\bmethod="post"[^>]*><input type="hidden" name="form" value="([^"]+)"/g),
      ]
      expect([page, tokens.length]).toEqual([page, changing.length])
      expect([page, new Set(tokens.map(([, token]) => token)).size]).toEqual([page, changing.length])
    }
  })

  test('at the entrance as well, unless a passkey answers what was asked once', async () => {
    const nobody = once.person()
    for (const page of ['/desk', once.link]) {
      const tags = [
        ...String((await nobody.open(page)).body).matchAll(/<form\b([^>]*)>(<input type="hidden" name="form")?/g),
      ]
      expect(tags.length).toBeGreaterThan(0)
      for (const [tag, attributes = '', token] of tags)
        expect([tag, attributes.includes('data-passkey'), token !== undefined]).not.toEqual([tag, false, false])
    }
  })

  test('and each address that takes forms refuses one without, keeps what was written, and changes nothing', async () => {
    const before = await stateOf(once.shop)
    const taking = Object.entries(once.routes).flatMap(([path, { handlePost }]) => (handlePost ? path : []))
    expect([...posts].toSorted()).toEqual([...taking, ...ENTRANCE].toSorted())
    for (const path of taking) {
      const url = path.replaceAll(/:\w+/g, 'x')
      for (const form of [
        '',
        'made-up~0',
        `${await once.owner.newToken()}~${'x'.repeat(50)}`,
        await again.owner.newToken(),
      ]) {
        const { status, body } = await once.owner.send(url, { form, written: 'some <words>' })
        expect([path, status]).toEqual([path, 422])
        expect(body).toContain('<input type="hidden" name="written" value="some &lt;words&gt;">')
      }
    }
    expect(await stateOf(once.shop)).toBe(before)
  })
})

/** All rows but counts and queues, without what differs by chance: identifiers, secrets, random names, numbers that a rollback skips. */
async function rowsOf({ shop: { runtime } }: Opened): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_limits', 'freed')
    order by 1`.execute(runtime.db)
  const read = tables.map(async ({ name }) => {
    const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(
      runtime.db,
    )
    return rows.map(({ row }) => `${name} ${bare(row)}`)
  })
  return (await Promise.all(read)).flat().toSorted()
}
const bare = (text: string) => text.replace(BY_CHANCE, '?')
const BY_CHANCE =
  / name="form" value="[^"]*"|127\.0\.0\.1:\d+|"search_text": "[^"]*"|"(?:number|freed_by|(?:\w+_)?id)": "?\d+"?|\b[A-Z0-9]{4}-[A-Z0-9]{4}\b|\\\\x[0-9a-f]+|\b[a-z]+_[\w-]{16,}|0\.\d{6,}|[\w-]{20,}(\.[\w-]+)*/g

/** The form as it stands on its page now, or on another page where it is no longer offered there. */
async function formNow({ owner, routes, bodies, forms }: Opened, deed: string): Promise<Form> {
  // The same form in both salons: pages are told apart by what they say, since identifiers differ. Pages that name a
  // customer come last, because each walk comes to another customer.
  const textOf = ({ page, fields, button }: Form) => bare(`${bodies.get(page)} ${page} ${fields} ${button}`)
  const known = forms
    .filter((one) => deedIn(routes, one) === deed)
    .map((form) => ({ form, text: form.page.endsWith('/room_old') ? '' : textOf(form) }))
    .toSorted((one, other) => namesCustomer(one) - namesCustomer(other) || (one.text < other.text ? -1 : 1))
    .map(({ form }) => form)
  for (const form of known) {
    const { body } = await owner.open(form.page)
    // The owner, who has to stay, comes first in the team.
    const there = formsIn(form.page, String(body))
    if (form.page === '/desk/people') there.reverse()
    const found = there.find((one) => deedIn(routes, one) === deed && one.action === form.action)
    if (found) return found
  }
  return known[0] as Form
}

const namesCustomer = ({ form }: { form: Form }) => Number(form.page.includes('&for='))

/** How the answer to a submission reads; where it leads, if it does. */
const said = ({ status, headers, body }: Answer) =>
  headers.location ? `${status} ${headers.location}` : `${status} ${bare(String(body))}`

/** Presses a button once in one salon, and in the other twice at once and once more. */
async function pressInBoth(deed: string, forms: [Form, Form]): Promise<[Answer, Answer]> {
  const [form, same] = forms
  const first = await once.owner.sendForm(form.action, sent(deed, form))
  const twins = await Promise.all([1, 2].map(() => again.owner.sendForm(same.action, sent(deed, same))))
  const later = await again.owner.sendForm(same.action, sent(deed, same))
  expect([deed, first.status]).toEqual([deed, later.status])
  expect([deed, ...twins.map(said)]).toEqual([deed, said(later), said(later)])
  const [rows, rowsAgain] = [await rowsOf(once), await rowsOf(again)]
  expect([deed, rowsAgain.filter((row) => !rows.includes(row))]).toEqual([deed, []])
  expect([deed, rows.filter((row) => !rowsAgain.includes(row))]).toEqual([deed, []])
  expect([deed, rowsAgain.length]).toEqual([deed, rows.length])
  return [first, later]
}

test('[one form, one effect] sent twice at once and once more each form does what it does once, and answers alike', async () => {
  // Whoever has left is shown where one comes in.
  const deeds = [...new Set(once.forms.map((form) => deedIn(once.routes, form)))].filter(
    (deed) => deed !== '/desk/leave',
  )
  const rank = (deed: string) => ENDS.findIndex((pattern) => pattern.test(deed))
  const ordered = deeds.toSorted((one, other) => rank(one) - rank(other))
  const withoutEffect: string[] = []
  const press = async (deed: string, forms: [Form, Form]): Promise<void> => {
    const before = await rowsOf(once)
    const answers = await pressInBoth(deed, forms)
    if (String(await rowsOf(once)) === String(before)) withoutEffect.push(`${deed}: ${answers[0].status}`)
    // A page that asks once more.
    const [asked, askedAgain] = answers.map(({ status, body }, nth) =>
      (status === 200 ? formsIn(forms[nth]?.page ?? '', String(body)) : []).find(isMeant),
    )
    if (asked && askedAgain) await press(`${deed}, meant`, [asked, askedAgain])
  }
  for (const deed of ordered) await press(deed, [await formNow(once, deed), await formNow(again, deed)])
  expect(withoutEffect).toMatchInlineSnapshot(`
    [
      "/desk/columns: 303",
      "/desk/density density: 303",
      "/desk/devices push_on: 422",
      "/desk/away show: 200",
      "/desk/setup/:section/:id row: 200",
      "/desk/setup/:section/:id review: 200",
      "/desk/book week: 200",
      "/desk/setup/:section/:id/picture save: 409",
      "/desk/setup/:section row: 200",
      "/desk/setup/:section review: 200",
      "/desk/bookings/:id/refund: 200",
      "/desk/setup/website/logo save: 409",
      "/desk/setup/:section/:id gone: 409",
    ]
  `)
})

/** These end things that others need, and come last. A buyer who did not come is noted before a booking is started. */
const ENDS = [/no_show/, / start$|cancel|decline|complete|remove|gone/]

const isMeant = ({ fields, button }: Form) =>
  button?.[1] === 'apply' || fields.some(([name, value]) => name === 'sure' && value === 'yes')
