import { describe, expect, test } from 'vitest'
import { channelsOf } from '../../src/core/mails/build-queued-mails.ts'
import { isEmail } from '../../src/infra/util/email-address.ts'
import { mcpDesk } from '../support/desk.ts'
import { myShop, sameBut, studio, tokenIn } from './visitor.ts'

const webhook = { notifications: { webhook: 'https://hooks.example/' } }
const { shop, desk, person, book, mailsTo, linkTo } = await myShop(studio(webhook))
const KNOWN = 'alice@example.com'
await book(KNOWN)
const later = () => shop.minutesLater(20)
const ASKED = 'If there are bookings for this address, a link is on its way.'

test('[one answer] is given whether or not anything is booked, and only who has booked gets a mail', async () => {
  const one = person()
  const known = await one.ask(KNOWN)
  const unknown = await one.ask('nobody@example.com')
  expect(known.status).toBe(200)
  expect(known.body).toContain(ASKED)
  expect(sameBut(unknown)).toEqual(sameBut(known))
  expect(Object.keys(unknown.headers).toSorted()).toEqual(Object.keys(known.headers).toSorted())
  expect(await mailsTo(KNOWN)).toMatchObject([{ row: { kind: 'sign_in', audience: 'buyer', channel: 'mail' } }])
  expect(await mailsTo('nobody@example.com')).toEqual([])
})

test('[one answer] takes as long either way', async () => {
  const took = async (email: string) => {
    const page = await person().open('/my')
    const from = performance.now()
    await person().send('/my', { do: 'ask', form: tokenIn(page), email })
    return performance.now() - from
  }
  const median = (times: number[]) => times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < 7; round++) {
    later()
    known.push(await took(KNOWN))
    unknown.push(await took(`nobody-${round}@example.com`))
  }
  expect(median(unknown)).toBeGreaterThan(250)
  expect(Math.abs(median(known) - median(unknown))).toBeLessThan(60)
})

test('[who gets the link] is the address in its plain form, whoever wrote it how', async () => {
  later()
  await person().ask('  ALICE@Example.COM ')
  expect((await mailsTo(KNOWN))[0]?.row.status).toBe('waiting')
  const before = (await mailsTo(KNOWN)).length
  // The Kelvin sign is a k in lower case, and another mailbox.
  await book('kim@example.com')
  expect((await person().ask('\u212Aim@example.com')).status).toBe(422)
  expect([...(await mailsTo('\u212Aim@example.com')), ...(await mailsTo('kim@example.com'))]).toEqual([])
  await person().ask('alice+more@example.com')
  expect(await mailsTo('alice+more@example.com')).toEqual([])
  expect(await mailsTo(KNOWN)).toHaveLength(before)
})

test('[the mail] has the link, goes to nobody but the mailbox, and is kept without the secret', async () => {
  later()
  await person().ask(KNOWN)
  expect(await channelsOf(shop.runtime, await shop.runtime.business.get())).toEqual(['mail', 'webhook'])
  const [{ row, letter } = {}] = await mailsTo(KNOWN)
  expect(letter).toMatchObject({
    subject: 'Your sign-in link for Test Studio',
    actions: [{ label: 'Sign in', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/my\/enter\/[\w-]{32}$/) }],
  })
  const secret = (await linkTo(KNOWN)).split('/').at(-1) ?? ''
  expect(JSON.stringify(row)).not.toContain(secret)
  const links = await shop.runtime.db.selectFrom('sign_in_links').selectAll().execute()
  expect(JSON.stringify(links)).not.toContain(secret)
  const mails = await shop.runtime.db.selectFrom('mails').select('kind').where('channel', '=', 'webhook').execute()
  expect(mails.filter(({ kind }) => kind === 'sign_in')).toEqual([])
})

test('[few mails] wait for one address, however many ask at once, and the answer stays the same', async () => {
  later()
  const email = 'often@example.com'
  await book(email)
  const people = Array.from({ length: 6 }, () => person())
  const answers = await Promise.all(people.map((one) => one.ask(email)))
  for (const { body } of answers) expect(body).toContain(ASKED)
  expect(await mailsTo(email)).toHaveLength(3)
  later()
  await person().ask(email)
  expect(await mailsTo(email)).toHaveLength(4)
})

/** Spellings that a mail library sends to the same mailbox, or that no operation takes. */
const SPELLINGS = [
  'v@x.example>',
  '<v@x.example',
  'v@x.example,',
  '"v"@x.example',
  'v(a)@x.example',
  'v@\uff58.example',
  'v@x\u3002example',
  'v@x.example.',
  'v@x\u00ad.example',
  'v@[127.0.0.1]',
  '\u212Aim@x.example',
]

describe('[one type of address] every entry takes the same', async () => {
  const staff = { as: shop.staff }
  const [slot] = await desk.slots('svc_a')
  const buyerWith = (email: string) => ({ first_name: 'Vera', last_name: 'Vale', email })
  test.each(SPELLINGS)('%j is refused', async (email) => {
    later()
    expect(isEmail(email)).toBe(false)
    for (const back of [{}, { back: '/account' }]) expect((await person().ask(email, back)).status).toBe(422)
    for (const one of [desk, mcpDesk(shop)]) {
      const refused = { code: 'validation_error' }
      expect(await one.book(slot, { buyer: buyerWith(email) })).toMatchObject(refused)
      expect(await one.call('usp_waitlist_join', { service_id: 'svc_class', buyer: buyerWith(email) })).toMatchObject(
        refused,
      )
      const member = { name: 'Vera', role: 'viewer', email }
      expect(await one.call('usp_business_staff_invite', member, staff)).toMatchObject(refused)
    }
  })

  test('the forms of one mailbox cause three mails together', async () => {
    later()
    for (const email of ['v@x.example', ...SPELLINGS, ' V@X.EXAMPLE ', 'v@X.example', 'V@x.example', 'v@x.Example'])
      await person().ask(email, { back: '/account' })
    const mails = await shop.runtime.db.selectFrom('mails').select('recipient').execute()
    expect(mails.filter(({ recipient }) => /^"?[vk]/i.test(recipient)).map(({ recipient }) => recipient)).toEqual([
      ...Array(3).fill('v@x.example'),
    ])
  })
})

test('[limits] one network asks ten times a minute for an address, known or not; others go on', async () => {
  later()
  for (const email of ['tired@example.com', KNOWN]) {
    const one = person()
    const page = await one.open('/my')
    const ask = () => one.send('/my', { do: 'ask', form: tokenIn(page), email })
    const answers = await Promise.all(Array.from({ length: 11 }, ask))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await person().ask(email)).status).toBe(200)
  }
})

describe('[unwelcome] nothing is mailed for', async () => {
  const email = 'wanted@example.com'
  await book(email)
  const token = tokenIn(await person().open('/my'))
  test.each([
    ['a form without a token', { email, form: '' }, {}, 422],
    ['one that was made up', { email, form: 'abc.def' }, {}, 422],
    ['who fills in what cannot be seen', { email, form: token, contact_via: 'https://spam.example' }, {}, 422],
    ['what is no address', { email: `${email}, other@example.com`, form: token }, {}, 422],
    ['an address without end', { email: `${'a'.repeat(300)}@example.com`, form: token }, {}, 422],
    ['another site', { email, form: token }, { origin: 'https://evil.example' }, 403],
    ['another site, as new browsers say', { email, form: token }, { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s', async (_, form, headers, status) => {
    expect((await person().send('/my', { do: 'ask', ...form }, headers)).status).toBe(status)
    expect(await mailsTo(email)).toEqual([])
  })

  test('an address at which nothing is received', async () => {
    await shop.runtime.db
      .updateTable('bookings')
      .set({ people: JSON.stringify({ buyer: { email: 'unknown@nobody.invalid' } }) })
      .where('id', '=', await book('x@example.com'))
      .execute()
    expect((await person().ask('unknown@nobody.invalid')).body).toContain(ASKED)
    expect(await mailsTo('unknown@nobody.invalid')).toEqual([])
  })
})

test('[hostile text] stays text, and goes nowhere else', async () => {
  const { status, body } = await person().ask('"><script>alert(1)</script>{x}')
  expect(status).toBe(422)
  expect(body).not.toContain('<script>alert')
  expect(body).toContain('value="&quot;&gt;&lt;script&gt;')
  for (const back of ['https://evil.example', '//evil.example', '/link/../my', '/link/a"b', '/account?x', '/accounts'])
    expect((await person().open(`/my?back=${encodeURIComponent(back)}`)).body).not.toContain('name="back"')
})

test('[where nothing can be mailed] the page says how to reach the business, and has no form', async () => {
  const contact = { phone: '+12125550171', email: 'hello@salon.example' }
  const production = {
    USP_MODE: 'production',
    DATABASE_URL: 'postgres://u@h/d',
    BASE_URL: 'https://x.example',
    USP_SECRET_KEY: 'x'.repeat(32),
  }
  const silent = await myShop(studio({ website: { contact } }), production)
  const headers = { 'x-forwarded-proto': 'https', 'content-type': 'application/x-www-form-urlencoded' }
  const ask = { method: 'POST', payload: `do=ask&email=${KNOWN}` } as const
  for (const asked of [{}, ask]) {
    const { status, body } = await silent.shop.raw({ url: '/my', headers, ...asked })
    expect(status).toBe(200)
    expect(body).toContain('<p>We cannot email you a link to your bookings. Please contact us instead.</p>')
    const main = /<main.*<\/main>/s.exec(body)?.[0]
    expect(main).toContain('href="mailto:hello@salon.example"')
    expect(main).toContain('href="tel:+12125550171"')
    expect(body).not.toContain('<form')
  }
})

test('[the log] names no address', async () => {
  expect(shop.logged.join('')).not.toMatch(/alice|example\.com/)
})
