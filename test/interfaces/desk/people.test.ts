import { expect, test } from 'vitest'
import { roles } from '../../../src/protocol/caller-types.ts'
import { deskSalon, tokenOf } from './receptionist.ts'

const { shop, signedIn, person } = await deskSalon()
const { db } = shop.runtime
const owner = await signedIn('owner')
const PATH = '/desk/people'
type One = Pick<typeof owner, 'open' | 'send'>

/** What a link that is shown opens; nothing where none is. */
const shownLink = (body: string) => /data-copy="http:\/\/127\.0\.0\.1:8080(\/desk\/enter\/[^"]+)"/.exec(body)?.[1]
let nth = 0
const invite = async (more: Record<string, string> = {}, one: One = owner) => {
  const form = tokenOf((await one.open(PATH)).body)
  return one.send(PATH, { do: 'invite', form, name: `Kim ${nth++}`, role: 'staff', email: '', ...more })
}
const idOf = async (name: string) =>
  (await db.selectFrom('staff').select('id').where('name', '=', name).executeTakeFirst())?.id ?? ''
const rowOf = (name: string) => db.selectFrom('staff').selectAll().where('name', '=', name).executeTakeFirst()

test('whoever is invited comes in by the link that is shown once, as what they were invited as', async () => {
  const { status, body } = await invite({ name: 'Ann <b>', role: 'viewer' })
  expect([status, body.includes('Sign-in link for Ann &lt;b&gt;'), body.includes('<svg class="code"')]).toEqual([
    200,
    true,
    true,
  ])
  expect(shownLink((await owner.open(PATH)).body)).toBeUndefined()
  const ann = person()
  await ann.send(shownLink(body) ?? '')
  expect((await ann.open('/desk')).body).toContain('Sign out Ann &lt;b&gt;')
  expect((await ann.open('/desk/book')).status).toBe(403)
  expect((await owner.open(PATH)).body).toContain('invited Nov 20, 2026')
})

test('[one form, one effect] a form that is sent twice invites once, and shows the same link', async () => {
  const form = tokenOf((await owner.open(PATH)).body)
  const sent = await Promise.all(
    [1, 2, 3].map(() => owner.send(PATH, { do: 'invite', form, name: 'Twice', role: 'staff', email: '' })),
  )
  expect(new Set(sent.map(({ body }) => shownLink(body))).size).toBe(1)
  expect(await db.selectFrom('staff').select('id').where('name', '=', 'Twice').execute()).toHaveLength(1)
  const other = await owner.send(PATH, { do: 'invite', form, name: 'Other', role: 'staff', email: '' })
  expect([other.status, await rowOf('Other')]).toEqual([409, undefined])
  expect((await owner.send(PATH, { do: 'invite', form: 'made up', name: 'Other', role: 'staff' })).status).toBe(422)
})

test('what is refused says why, and what was written stays', async () => {
  await invite({ name: 'First', email: 'first@example.com' })
  const taken = await invite({ name: 'Second', email: 'First@example.com' })
  expect([taken.status, taken.body.includes('Another team member has this address.')]).toEqual([409, true])
  expect(taken.body).toContain('value="Second"')
  expect(taken.body).toContain('<a href="#email-new">Email address</a>: Another team member has this address.')
  expect(taken.body).toMatch(/<input id="email-new"[^>]* aria-invalid="true" aria-describedby="email-new-error"/)
  const none = await invite({ name: 'Second', email: 'nowhere' })
  expect([none.status, none.body.includes('Please enter an email address, such as')]).toEqual([409, true])
  const nameless = await invite({ name: ' ' })
  expect([nameless.status, nameless.body.includes('<a href="#name-new">Name</a>: Please fill in')]).toEqual([409, true])
  const { id: first } = (await rowOf('First')) ?? { id: '' }
  const changed = await owner.send(PATH, { do: 'change', staff: first, name: 'First', email: 'nowhere', role: 'staff' })
  expect(changed.body).toContain(`<a href="#email-${first}">`)
  expect(changed.body.match(/aria-invalid/g)).toHaveLength(1)
  const last = await owner.send(PATH, { do: 'remove', staff: owner.who.id })
  expect([last.status, last.body.includes('There must be at least one owner.')]).toEqual([409, true])
})

test('[a role holds at once] wherever somebody is signed in, and so does the end of their access', async () => {
  const jo = await signedIn('staff')
  const change = (role: string) =>
    owner.send(PATH, { do: 'change', staff: jo.who.id, name: jo.who.name, email: 'jo@example.com', role })
  const settings = async () => (await jo.open('/desk/setup')).status
  expect([await settings(), (await jo.open('/desk')).body.includes('/desk/people')]).toEqual([403, false])
  expect((await change('manager')).headers.location).toBe(PATH)
  expect([await settings(), (await jo.open('/desk')).body.includes('/desk/people')]).toEqual([200, true])
  await change('viewer')
  expect([await settings(), (await jo.open('/desk/book')).status]).toEqual([403, 403])
  expect(await rowOf(jo.who.name)).toMatchObject({ email: 'jo@example.com', role: 'viewer' })
  await owner.send(PATH, { do: 'remove', staff: jo.who.id })
  expect((await jo.open('/desk')).body).toContain('usp staff link')
  // Pressed again on a page from before, it is done already.
  expect((await owner.send(PATH, { do: 'remove', staff: jo.who.id })).headers.location).toBe(PATH)
})

test.each(roles)('[who may not is neither shown nor let in] %s', async (role) => {
  const [me, them] = [await signedIn(role), await signedIn('manager')]
  const page = await me.open(PATH)
  const isLetIn = role === 'owner' || role === 'manager'
  expect([page.status, (await me.open('/desk')).body.includes('href="/desk/people"')]).toEqual([
    isLetIn ? 200 : 403,
    isLetIn,
  ])
  expect(page.body.includes(`name="staff" value="${them.who.id}"`)).toBe(role === 'owner')
  expect(page.body.includes('<option value="owner"')).toBe(role === 'owner')
  const acts = [
    { do: 'invite', form: tokenOf(page.body), name: 'Made owner', role: 'owner', email: '' },
    { do: 'change', staff: them.who.id, name: 'Renamed', role: 'owner', email: '' },
    { do: 'link', form: tokenOf(page.body), staff: them.who.id },
    { do: 'remove', staff: them.who.id },
    { do: 'anything' },
  ]
  if (role === 'owner') return
  for (const act of acts) {
    const { status, body } = await me.send(PATH, act)
    expect([act.do, [403, 409].includes(status), shownLink(body)]).toEqual([act.do, true, undefined])
  }
  expect([await idOf('Made owner'), (await rowOf(them.who.name))?.role]).toEqual(['', 'manager'])
})

test('[other sites] press no button of it', async () => {
  const jo = await signedIn('viewer')
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await owner.send(PATH, { do: 'change', staff: jo.who.id, role: 'owner' }, headers)).status).toBe(403)
  expect((await rowOf(jo.who.name))?.role).toBe('viewer')
})
