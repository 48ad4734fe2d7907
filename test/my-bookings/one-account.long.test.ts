import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountInsert } from '../../src/domain/accounts/buyer-accounts.ts'
import {
  accountOfPassword,
  accountWith,
  asLinked,
  authorizeUrl,
  type Browser,
  browser,
  claimsOf,
  exchange,
  linkingBusiness,
  linkingShop,
  newEmail,
  PASSWORD,
  pkce,
  refresh,
  silentShop,
} from '../oauth/browser.ts'
import { restDesk } from '../support/desk.ts'
import { sameBut, tokenIn, ways } from './visitor.ts'

const { shop, client } = await linkingShop(linkingBusiness({}, { limits: { visitors: { mails: 500 } } }))
const { db } = shop.runtime
const { linkTo, mailsTo } = ways(shop)
const desk = restDesk(shop)
const OTHER = 'another horse battery'
const IN = 'You are signed in as'
beforeEach(() => {
  shop.time.now = new Date()
})

/** Asks for a link on the page that one is on. */
async function askFor(one: Browser, email: string, back?: string) {
  const page = await one.open(back ?? '/my')
  return one.send('/my', { do: 'ask', form: tokenIn(page), email, ...(back !== undefined && { back }) })
}

/** Asks for a link, and uses it in the same browser, to choose a password or without. */
async function enter(one: Browser, email: string, back?: string, password?: string) {
  await askFor(one, email, back)
  return one.send(await linkTo(email), password === undefined ? {} : { do: 'choose', password })
}

const signIn = (one: Browser, email: string, password = PASSWORD, at = '/account') =>
  one.send(at, { do: 'sign_in', email, password })

const begin = async (one: Browser) => {
  const { verifier, challenge } = pkce()
  const page = await one.open(authorizeUrl(client, challenge, { scope: 'usp:booking' }))
  return { verifier, page, path: new URL(page.at).pathname }
}

const ALLOW = new URLSearchParams([
  ['do', 'allow'],
  ['scope', 'usp:booking'],
])

/** Allows what a platform asks, on the page that asks for it: its tokens, and the account that they are of. */
async function allow(one: Browser, at: string, verifier: string) {
  const { headers } = await one.send(at, ALLOW)
  const code = new URL(headers.location ?? '').searchParams.get('code') ?? ''
  const { body } = await exchange(shop, client, { code, code_verifier: verifier })
  return { ...body, sub: claimsOf(String(body.access_token)).sub }
}

async function link(one: Browser) {
  const { verifier, page } = await begin(one)
  return allow(one, page.at, verifier)
}

const book = async (email: string, ask: Parameters<typeof desk.book>[2] = {}) => {
  const day = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
  const slots = await desk.slots('svc_a', { start_date: day(2), end_date: day(7) })
  const buyer = { first_name: 'Alice', last_name: 'Williams', email }
  return (await desk.book(slots.at(used++), { buyer }, ask)).data.booking.id
}
let used = 0

const isIn = async (one: Browser, page = '/account') => String((await one.open(page)).body).includes(IN)

/** Whose sessions there are, of all accounts that an address has. */
const sessionsOf = async (email: string) => {
  const { rows } = await sql<{ id: string }>`
    select a.id from oauth_state s join buyer_accounts a on a.id = s.account_id
    where s.model = 'Visit' and a.email = ${email}`.execute(db)
  return rows.map(({ id }) => id)
}

const accountsOf = (email: string) => db.selectFrom('buyer_accounts').selectAll().where('email', '=', email).execute()

test('[no password] who has never been here links a platform by a mailed link, and comes back to the page that asks', async () => {
  const [one, email] = [browser(shop), newEmail()]
  const { verifier, page, path } = await begin(one)
  expect(page.body).toContain(`name="back" value="${path}"`)
  const consent = await enter(one, email, path)
  expect(consent.at).toContain('/link/')
  expect(consent.body).toContain(`${IN} ${email}.`)
  expect((await allow(one, consent.at, verifier)).sub).toMatch(/^buy_/)
  expect((await one.open('/account')).body).toContain('Concierge &lt;App&gt;')
})

test('[one account] by a link or by a password: at /my, /account and /link it is the same, and signing out ends all', async () => {
  const [one, elsewhere, email] = [browser(shop), browser(shop), newEmail()]
  const id = await book(email)
  await enter(one, email)
  expect((await one.open('/account')).body).toContain(`${IN} ${email}.`)
  const { verifier, page } = await begin(one)
  expect(page.body).toContain('<h1>Allow Concierge &lt;App&gt; access to your account?</h1>')
  const { sub } = await allow(one, page.at, verifier)

  await enter(browser(shop), email, '/account', PASSWORD)
  await signIn(elsewhere, email)
  expect((await elsewhere.open('/my')).body).toContain(id)
  expect((await elsewhere.open('/account')).body).toContain('Concierge &lt;App&gt;')
  expect((await link(elsewhere)).sub).toBe(sub)
  expect(await accountsOf(email)).toMatchObject([{ id: sub }])
  await elsewhere.send('/account', { do: 'leave' })
  expect([await isIn(elsewhere), await isIn(elsewhere, '/my')]).toEqual([false, false])
})

test('[a link that is over] offers another that leads to where it would have led', async () => {
  const [one, email] = [browser(shop), newEmail()]
  await askFor(one, email, '/account')
  const link = await linkTo(email)
  shop.minutesLater(16)
  for (const over of [await one.open(link), await one.send(link, {})]) {
    expect(over.status).toBe(404)
    expect(over.body).toContain('name="back" value="/account"')
  }
  const elsewhere = link.replace(/\?.*/, '?back=https://evil.example')
  expect((await one.open(elsewhere)).body).not.toContain('name="back"')
})

describe('[making an account]', () => {
  test('mails a link, and answers the same whether the address is known, unknown or somebody else’s', async () => {
    const [owned, old, unknown] = [newEmail(), newEmail(), newEmail()]
    await accountWith(shop, owned)
    await accountInsert(db, old, PASSWORD, shop.time.now)
    const said = []
    for (const email of [owned, old, unknown]) {
      const answer = await askFor(browser(shop), email, '/account')
      expect(answer.body).toContain('A link is on its way to this address.')
      said.push(sameBut(answer))
      expect(await mailsTo(email)).toHaveLength(1)
    }
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(await accountsOf(unknown)).toEqual([])
  })

  test('is for whoever opens the link, with a password or without', async () => {
    const [one, email] = [browser(shop), newEmail()]
    await askFor(one, email, '/account')
    const [mail] = await mailsTo(email)
    expect(mail?.letter?.paragraphs[0]).toMatch(/^It signs you in at .*\. You can then choose a password/)
    const entered = await one.send(await linkTo(email), { do: 'choose', password: PASSWORD })
    expect(entered.body).toContain('<h1>Your account</h1>')
    expect(await isIn(one, '/my')).toBe(true)
    expect(await isIn(await signedIn(email))).toBe(true)
  })

  test('takes no password from who has shown nothing', async () => {
    const [one, email] = [browser(shop), newEmail()]
    expect((await one.open('/account')).body).not.toContain('new-password')
    const made = await one.send('/account', { do: 'create', email, password: PASSWORD })
    expect(made.status).toBe(422)
    expect(await isIn(one)).toBe(false)
    expect(await accountsOf(email)).toEqual([])
  })

  test('is counted: one network has few mails sent, whoever they are for', async () => {
    const limits = { visitors: { mails: 2 } }
    const few = await linkingShop(linkingBusiness({}, { limits }))
    const statuses = []
    for (let ask = 0; ask < 3; ask++) {
      const one = browser(few.shop)
      const form = tokenIn(await one.open('/account'))
      statuses.push((await one.send('/my', { do: 'ask', form, email: newEmail(), back: '/account' })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
  })
})

const signedIn = async (email: string, password = PASSWORD) => {
  const one = browser(shop)
  await signIn(one, email, password)
  return one
}

describe('[forgotten]', () => {
  test('who forgot the password chooses another for the same account; what is linked stays, and all other sessions end', async () => {
    const email = newEmail()
    const id = await accountWith(shop, email)
    const [byPassword, byLink, here] = [await signedIn(email), browser(shop), browser(shop)]
    await enter(byLink, email)
    const tokens = await link(byPassword)
    expect([await isIn(byPassword), await isIn(byLink, '/my')]).toEqual([true, true])
    expect((await byPassword.open('/my?back=/account')).body).toContain('name="back" value="/account"')
    const account = await enter(here, email, '/account', OTHER)
    expect(account.body).toContain('Concierge &lt;App&gt;')
    expect([await isIn(byPassword), await isIn(byLink, '/my'), await isIn(here)]).toEqual([false, false, true])
    expect(await sessionsOf(email)).toEqual([id])
    expect(await accountOfPassword(shop, email, PASSWORD)).toBeUndefined()
    expect(await accountOfPassword(shop, email, OTHER)).toBe(id)
    expect((await refresh(shop, client, String(tokens.refresh_token))).status).toBe(200)
  })

  test('on the way to link a platform, which then goes on', async () => {
    const [one, email] = [browser(shop), newEmail()]
    const id = await accountWith(shop, email)
    const { verifier, page, path } = await begin(one)
    const wrong = await signIn(one, email, OTHER, page.at)
    expect(wrong.status).toBe(422)
    expect(wrong.body).toContain(`name="back" value="${path}"`)
    const consent = await enter(one, email, path, OTHER)
    expect(consent.body).toContain('<h1>Allow Concierge &lt;App&gt; access to your account?</h1>')
    expect((await allow(one, consent.at, verifier)).sub).toBe(id)
    expect(await isIn(await signedIn(email, OTHER))).toBe(true)
  })

  test('whoever just wants in leaves the password as it is, and nobody is signed out', async () => {
    const email = newEmail()
    await accountWith(shop, email)
    const one = await signedIn(email)
    await enter(browser(shop), email, '/account')
    expect([await isIn(one), await isIn(await signedIn(email))]).toEqual([true, true])
  })

  test('whoever gets a mailbox that was somebody else’s is told of their password, and replaces it', async () => {
    const email = newEmail()
    await accountWith(shop, email)
    const [before, after] = [await signedIn(email), browser(shop)]
    await askFor(after, email)
    const at = await linkTo(email)
    expect((await after.open(at)).body).toContain('This account has a password.')
    expect((await after.send(at, { do: 'choose', password: OTHER })).body).toContain('<h1>My bookings</h1>')
    expect([await isIn(before), await isIn(await signedIn(email))]).toEqual([false, false])
  })

  test('a password that is too short is said to be, and the link works on', async () => {
    const [one, email] = [browser(shop), newEmail()]
    await askFor(one, email, '/account')
    const at = await linkTo(email)
    for (const password of ['short', 'x'.repeat(201), '']) {
      const again = await one.send(at, { do: 'choose', password })
      expect(again.status).toBe(422)
      expect(again.body).toContain('Please choose a password of at least 10 characters.')
    }
    expect((await one.send(at, { do: 'choose', password: OTHER })).body).toContain('<h1>Your account</h1>')
  })

  test('a link works once: of two who choose by it at the same time one does', async () => {
    const email = newEmail()
    await askFor(browser(shop), email, '/account')
    const at = await linkTo(email)
    const passwords = [PASSWORD, OTHER]
    const answers = await Promise.all(passwords.map((password) => browser(shop).send(at, { do: 'choose', password })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const opened = await Promise.all(passwords.map((one) => accountOfPassword(shop, email, one)))
    expect(opened.filter((one) => one !== undefined)).toHaveLength(1)
    expect((await browser(shop).send(at, { do: 'choose', password: 'a third horse battery' })).status).toBe(404)
    expect(await accountOfPassword(shop, email, 'a third horse battery')).toBeUndefined()
    expect(await sessionsOf(email)).toHaveLength(1)
  })

  test('another site presses no button of it', async () => {
    const email = newEmail()
    await askFor(browser(shop), email, '/account')
    const forged = { do: 'choose', password: PASSWORD }
    const { status } = await browser(shop).send(await linkTo(email), forged, { origin: 'https://evil.example' })
    expect(status).toBe(403)
    expect(await accountsOf(email)).toEqual([])
  })

  test('[race] who signs in by the old password at that moment is out afterwards', async () => {
    for (let round = 0; round < 5; round++) {
      const email = newEmail()
      await accountWith(shop, email)
      const owner = browser(shop)
      await askFor(owner, email, '/account')
      const at = await linkTo(email)
      const thieves = Array.from({ length: 4 }, () => browser(shop))
      await Promise.all([
        ...thieves.map((thief) => signIn(thief, email)),
        pass(round * 6).then(() => owner.send(at, { do: 'choose', password: OTHER })),
      ])
      expect(await Promise.all([owner, ...thieves].map((one) => isIn(one)))).toEqual([true, false, false, false, false])
      expect(await sessionsOf(email)).toHaveLength(1)
    }
  })
})

describe('[whose it is] an account that somebody made under the address, who never showed that it is theirs,', () => {
  /** As they were made before there were mails. */
  async function hijacked() {
    const [email, mallory] = [newEmail(), browser(shop)]
    await accountInsert(db, email, PASSWORD, shop.time.now)
    await signIn(mallory, email)
    return { email, mallory, tokens: await link(mallory) }
  }

  test('opens nothing of the owner’s while it lasts', async () => {
    const { email, mallory } = await hijacked()
    const id = await book(email)
    const page = await mallory.open('/my')
    expect(page.body).not.toContain(id)
    expect(page.body).not.toContain(IN)
    expect((await mallory.open('/my?list=past')).body).not.toContain(IN)
  })

  test('ends when they show it: its password, its sessions, its links, and what they were about to allow', async () => {
    const { email, mallory, tokens } = await hijacked()
    const id = await book(email)
    const pending = await begin(mallory)
    expect(pending.page.body).toContain('access to your account?')
    const verify = () => shop.runtime.accessTokens.verify(String(tokens.access_token), undefined, new Date())
    expect(await verify()).toMatchObject({ link: { buyer: tokens.sub } })

    const alice = browser(shop)
    await askFor(alice, email)
    const at = await linkTo(email)
    expect((await alice.open(at)).body).toContain('An account was created with this address before')
    expect(await isIn(mallory)).toBe(true)
    expect((await alice.send(at, {})).body).toContain(id)

    expect(await isIn(mallory)).toBe(false)
    expect(await isIn(await signedIn(email))).toBe(false)
    expect(await verify()).toBeUndefined()
    expect((await refresh(shop, client, String(tokens.refresh_token))).body.error).toBe('invalid_grant')
    const refused = await mallory.send(pending.page.at, ALLOW)
    expect(refused.headers).not.toHaveProperty('location')
    expect(refused.body).toContain('<h1>Sign in</h1>')
    const ahead = await mallory.open(pending.page.at.replace('/link/', '/oauth/authorize/'))
    expect(ahead.headers.location ?? '').not.toContain('code=')

    expect((await alice.open('/account')).body).toContain('No app has access to your account.')
    const own = await link(alice)
    expect(own.sub).not.toBe(tokens.sub)
    expect(await accountsOf(email)).toMatchObject([{ id: own.sub, password: null }])
    await askFor(alice, email)
    expect((await alice.open(await linkTo(email))).body).not.toContain(
      'An account was created with this address before',
    )
  })

  test('leaves the owner what was booked and waited for with their address by it, and nothing else', async () => {
    const { email, tokens } = await hijacked()
    const theirs = { as: asLinked(shop, String(tokens.access_token)) }
    const [mine, other] = [await book(email.toUpperCase(), theirs), await book('mallory@example.com', theirs)]
    const buyer = { first_name: 'Alice', last_name: 'Williams', email }
    const joined = await desk.call('usp_waitlist_join', { service_id: 'svc_queue', buyer }, theirs)
    const entry = { entry_id: joined.data.entry.id }
    const alice = browser(shop)
    expect((await enter(alice, email)).body).toContain(mine)
    const own = { as: asLinked(shop, String((await link(alice)).access_token)) }
    expect((await desk.get(mine, own)).data.booking.id).toBe(mine)
    expect((await desk.call('usp_waitlist_get', entry, own)).data.entry.id).toBe(entry.entry_id)
    expect((await desk.get(other, own)).code).toBe('booking_not_found')
    expect((await desk.get(mine, theirs)).status).toBe(401)
  })

  test('is left alone when only a link was asked for, or opened and not used', async () => {
    const { email, mallory, tokens } = await hijacked()
    await askFor(mallory, email, '/account')
    await browser(shop).open(await linkTo(email))
    expect(await isIn(mallory)).toBe(true)
    expect((await refresh(shop, client, String(tokens.refresh_token))).status).toBe(200)
  })

  test('ends with all others under the address, of which each password opened its own', async () => {
    const { email } = await hijacked()
    await accountInsert(db, email, OTHER, shop.time.now)
    expect(await accountsOf(email)).toHaveLength(2)
    await enter(browser(shop), email, '/account', PASSWORD)
    expect(await accountsOf(email)).toMatchObject([{ verified_at: expect.any(Date) }])
    expect(await isIn(await signedIn(email, OTHER))).toBe(false)
    expect(await isIn(await signedIn(email))).toBe(true)
  })

  test('[race] gets no session, link or token of the owner’s by what is under way at that moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, mallory, tokens } = await hijacked()
      const pending = await begin(mallory)
      const owner = browser(shop)
      await askFor(owner, email, '/account')
      const at = await linkTo(email)
      const thieves = Array.from({ length: 3 }, () => browser(shop))
      const answers = await Promise.all([
        mallory.send(pending.page.at, ALLOW),
        refresh(shop, client, String(tokens.refresh_token)),
        ...thieves.map((thief) => signIn(thief, email)),
        pass(round * 6).then(() => owner.send(at, {})),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      const inside = await Promise.all([owner, mallory, ...thieves].map((one) => isIn(one)))
      expect(inside).toEqual([true, false, false, false, false])
      const [account, ...others] = await accountsOf(email)
      expect(others).toEqual([])
      const { rows } = await sql`select model from oauth_state where account_id = ${account?.id}`.execute(db)
      expect(rows).toEqual([{ model: 'Visit' }])
    }
  })
})

describe('[another browser] than the one that asked', () => {
  test('is the one that is signed in; who asked goes on with the password that was chosen there', async () => {
    const [here, there, email] = [browser(shop), browser(shop), newEmail()]
    const { page, path } = await begin(here)
    await askFor(here, email, path)
    const opened = await there.send(await linkTo(email), { do: 'choose', password: PASSWORD })
    expect(opened.status).toBe(404)
    expect(opened.body).toContain('in another browser')
    expect([await isIn(here), await isIn(there)]).toEqual([false, true])
    expect((await here.open(page.at)).body).toContain('<h1>Sign in</h1>')
    expect((await signIn(here, email, PASSWORD, page.at)).body).toContain('access to your account?')
  })

  test('allows nothing by it: whoever sends somebody else a link of their own request gets no grant', async () => {
    const [mallory, alice, email] = [browser(shop), browser(shop), newEmail()]
    const { page, path } = await begin(mallory)
    await askFor(mallory, email, path)
    await alice.send(await linkTo(email), {})
    expect((await alice.send(page.at, ALLOW)).status).toBe(404)
    const tried = await mallory.send(page.at, ALLOW)
    expect(tried.body).toContain('<h1>Sign in</h1>')
    expect((await alice.open('/account')).body).toContain('No app has access to your account.')
  })
})

describe('[where nothing can be mailed]', async () => {
  const { shop: silent } = await silentShop()
  const headers = { 'x-forwarded-proto': 'https' }

  test('accounts are made by a password, it is said what that means, and they open no bookings', async () => {
    const [one, email] = [browser(silent), newEmail()]
    const page = await one.visit('GET', '/account', undefined, headers)
    expect(page.body).toContain('you cannot reset it if you forget it')
    expect(page.body).not.toContain('action="/my"')
    const made = await one.visit(
      'POST',
      '/account',
      new URLSearchParams({ do: 'create', email, password: PASSWORD }),
      headers,
    )
    expect(made.headers.location).toBe('/account')
    expect((await one.visit('GET', '/account', undefined, headers)).body).toContain(`${IN} ${email}.`)
    expect((await one.visit('GET', '/my', undefined, headers)).body).not.toContain(IN)
  })

  test('one made under an address that somebody owns is another, and nobody is told', async () => {
    const [one, email] = [browser(silent), newEmail()]
    const id = await accountWith(silent, email)
    const form = new URLSearchParams({ do: 'create', email, password: OTHER })
    expect((await one.visit('POST', '/account', form, headers)).headers.location).toBe('/account')
    expect(await accountOfPassword(silent, email, OTHER)).not.toBe(id)
    expect((await one.visit('GET', '/my', undefined, headers)).body).not.toContain(IN)
  })
})

test('[nobody is written to] who has nothing here, by a link that no platform asked for or that is over', async () => {
  const one = browser(shop)
  const { path } = await begin(one)
  const ask = async (back: string) => {
    const [email, sheet] = [newEmail(), await one.open(`/my?${new URLSearchParams({ back })}`)]
    const sent = await one.send('/my', { do: 'ask', form: tokenIn(sheet), email, back })
    expect(sent.body).toContain('role="status"')
    return { mails: (await mailsTo(email)).length, isKept: sheet.body.includes('name="back"') }
  }
  expect(await ask(path)).toEqual({ mails: 1, isKept: true })
  expect(await ask('/link/x')).toEqual({ mails: 0, isKept: false })
  expect(await ask(`${path}x`)).toEqual({ mails: 0, isKept: false })
  shop.time.now = new Date(Date.now() + 31 * 60_000)
  expect(await ask(path)).toEqual({ mails: 0, isKept: false })
})

test('[where nothing is linked] no page leads to accounts, and nobody is written to who has nothing here', async () => {
  const email = newEmail()
  await shop.apply(linkingBusiness({ identity_linking: false }))
  const one = browser(shop)
  await expect.poll(async () => (await one.open('/account')).status).toBe(404)
  const page = await one.open('/my?back=/link/any')
  await one.send('/my', { do: 'ask', form: tokenIn(page), email, back: '/link/any' })
  expect(await mailsTo(email)).toEqual([])
})
