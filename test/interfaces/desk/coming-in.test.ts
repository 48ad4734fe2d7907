import { describe, expect, test } from 'vitest'
import { deleteExpiredStaffLinks } from '../../../src/core/authentication/desk-sign-in-links.ts'
import { revokeStaff } from '../../../src/core/authentication/staff-members.ts'
import { deleteExpiredStaffSessions } from '../../../src/core/authentication/staff-sessions.ts'
import { DESK_SCRIPTS, DESK_STYLE } from '../../../src/interfaces/desk/desk-page.ts'
import { deskSalon, tokenOf } from './receptionist.ts'

const { shop, hire, person, signedIn, booked } = await deskSalon()
const { db } = shop.runtime
const COOKIE = 'usp_desk /'
const isIn = async (one: ReturnType<typeof person>, name: string) =>
  String((await one.open('/desk')).body).includes(`Sign out ${name}`)

test('[a link to the desk] shows a page with one button, and only the button lets in, once', async () => {
  const jo = await hire('staff')
  const link = await jo.link()
  for (let time = 0; time < 2; time++) {
    const page = await person().open(link)
    expect([page.status, page.body.match(/<button/g).length]).toEqual([200, 1])
    expect(page.body).toContain(jo.name)
    expect(page.headers).not.toHaveProperty('set-cookie')
  }
  const people = Array.from({ length: 5 }, person)
  const answers = await Promise.all(people.map((one) => one.send(link)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404, 404, 404, 404])
  const inside = await Promise.all(people.map((one) => isIn(one, jo.name)))
  expect(inside.filter(Boolean)).toHaveLength(1)
})

test('[one form, one effect] the button of a link that is pressed twice, or again after a lost answer, lets in as the first did', async () => {
  const jo = await hire('staff')
  const link = await jo.link()
  const [page, another] = [await person().open(link), await person().open(link)]
  const form = { form: tokenOf(page.body) }
  const twins = [person(), person()]
  const answers = await Promise.all(twins.map((one) => one.send(link, form)))
  expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
    [303, '/desk'],
    [303, '/desk'],
  ])
  const later = person()
  expect((await later.send(link, form)).status).toBe(303)
  for (const one of [...twins, later]) expect(await isIn(one, jo.name)).toBe(true)
  const sessions = () => db.selectFrom('staff_sessions').select('id').where('staff_id', '=', jo.id).execute()
  expect(await sessions()).toHaveLength(1)
  for (const wrong of [{}, { form: tokenOf(another.body) }, { form: 'made up' }])
    expect((await person().send(link, wrong)).status).toBe(404)
  await later.send('/desk/leave')
  expect(await sessions()).toEqual([])
  expect((await person().send(link, form)).status).toBe(404)
  const other = await jo.link()
  expect((await person().send(other, form)).status).toBe(303)
  shop.minutesLater(181)
  expect((await person().send(other, form)).status).toBe(404)
  shop.minutesLater(-181)
})

test('[a link to the desk] works for an hour, and is then as if it had never been', async () => {
  const jo = await hire('staff')
  const [early, late] = [await jo.link(), await jo.link()]
  shop.time.now = new Date(shop.time.now.getTime() + 60 * 60_000 - 1)
  expect((await person().send(early)).status).toBe(303)
  shop.minutesLater(1)
  const bare = ({ body }: { body: string }) => body.replaceAll(/enter\/[\w-]+|name="form" value="[^"]+"/g, '')
  const gone = await Promise.all(['/desk/enter/never', early, late].map((link) => person().send(link)))
  expect(gone.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(new Set(gone.map(bare)).size).toBe(1)
  for (const { body } of [...gone, await person().open(late)])
    expect(body).toContain('role="alert">This link was used or has expired. Get a new one:</p>')
  await deleteExpiredStaffLinks(db, shop.time.now)
  expect(await db.selectFrom('staff_links').select('digest').execute()).toEqual([])
})

test.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])(
  '[other sites] press no button of the desk: %j',
  async (headers) => {
    const link = await (await hire('staff')).link()
    const one = person()
    expect((await one.send(link, {}, headers)).status).toBe(403)
    expect((await one.send(link)).status).toBe(303)
    const { booking } = await booked('svc_auto')
    expect((await one.send(`/desk/bookings/${booking.id}`, { do: 'cancel' }, headers)).status).toBe(403)
    expect((await one.send('/desk/leave', {}, headers)).status).toBe(403)
    expect((await one.open('/desk')).body).toContain('Sign out')
  },
)

test('whoever is not signed in sees how to be, whatever they ask for, and nothing else', async () => {
  const { booking } = await booked('svc_auto')
  const paths = ['/desk', '/desk/inbox', '/desk/bookings?query=Alice', `/desk/bookings/${booking.id}`, '/desk/devices']
  for (const path of paths) {
    const { body, headers } = await person().open(path)
    expect(body).toContain('usp staff link')
    expect(body).not.toContain('Alice')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['cache-control']).toBe('no-store')
  }
  for (const act of ['cancel', 'start', 'paid'])
    expect((await person().send(`/desk/bookings/${booking.id}`, { do: act })).body).toContain('usp staff link')
  expect((await db.selectFrom('bookings').select('status').where('id', '=', booking.id).execute())[0]?.status).toBe(
    'confirmed',
  )
})

describe('[the session at the desk]', () => {
  test('is a cookie that no script reads, and is stored as a digest', async () => {
    const one = await signedIn('owner')
    const secret = one.jar.get(COOKIE)?.value ?? ''
    expect(secret).toMatch(/^desk_[\w-]{43}$/)
    const again = await person().send(await one.who.link())
    expect([again.headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(/^usp_desk=desk_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
    ])
    expect(JSON.stringify(await db.selectFrom('staff_sessions').selectAll().execute())).not.toContain(secret.slice(5))
    expect(shop.logged.join('')).not.toContain(secret.slice(5))
  })

  test('ends after thirty days, when its owner signs out, there or from elsewhere, and when they leave', async () => {
    const [old, left, far, near, gone] = await Promise.all(Array.from({ length: 5 }, () => signedIn('staff')))
    if (!old || !left || !far || !near || !gone) throw new Error('five were hired')
    await left.send('/desk/leave')
    await near.send(await far.who.link())
    const [, other] = [...(await near.open('/desk/devices')).body.matchAll(/name="end" value="(ses_[\w-]+)"/g)].map(
      ([, id]) => id,
    )
    expect(other).toBeUndefined()
    const [, id = ''] = /name="end" value="(ses_[\w-]+)"/.exec((await near.open('/desk/devices')).body) ?? []
    await gone.send('/desk/devices', { end: id })
    expect(await isIn(far, far.who.name)).toBe(true)
    await near.send('/desk/devices', { end: id })
    await revokeStaff(db, gone.who.id)
    for (const one of [left, far, gone]) expect(await isIn(one, one.who.name)).toBe(false)
    expect(await isIn(old, old.who.name)).toBe(true)
    shop.minutesLater(30 * 24 * 60)
    expect(await isIn(old, old.who.name)).toBe(false)
    await deleteExpiredStaffSessions(db, new Date(shop.time.now.getTime() + 1))
    expect(await db.selectFrom('staff_sessions').select('id').execute()).toEqual([])
  })
})

test('is of this very host, over https alone where that is spoken', async () => {
  const secure = await deskSalon({ BASE_URL: 'https://salon.example' })
  const { headers } = await secure.person().send(await (await secure.hire('staff')).link())
  expect([headers['set-cookie']].flat()[0]).toMatch(/^__Host-usp_desk=\S+; Path=\/; .*; Secure$/)
})

test('a browser keeps what all pages look like for five minutes, and asks whether there is another; of the pages it keeps none', async () => {
  const jo = await signedIn('staff')
  expect((await jo.open('/desk')).headers['cache-control']).toBe('no-store')
  for (const path of [DESK_STYLE, ...DESK_SCRIPTS]) {
    const { headers } = await jo.open(path)
    expect([path, headers['cache-control']]).toEqual([path, 'private, max-age=300'])
    const again = await shop.raw({ url: path, headers: { 'if-none-match': headers.etag } })
    expect([again.status, again.body]).toEqual([304, ''])
  }
})

test('[nothing is waited for twice] whatever the script of the desk asks for comes with it', async () => {
  const jo = await signedIn('staff')
  const { body } = await jo.open('/desk')
  const asked = [...(await jo.open(DESK_SCRIPTS[0])).body.matchAll(/^import .*'\.\/(.+)'$/gm)].map(([, name]) => name)
  expect(asked).toHaveLength(DESK_SCRIPTS.length - 1)
  for (const name of asked) expect(body).toContain(`<link rel="modulepreload" href="/desk/${name}">`)
})
