import { beforeEach, expect, test } from 'vitest'
import { accountOfPassword } from '../../src/accounts/buyer-accounts.ts'
import {
  authorizeUrl,
  type Browser,
  browser,
  claimsOf,
  comeBack,
  exchange,
  linkingBusiness,
  linkingShop,
  newEmail,
  PASSWORD,
  pkce,
} from '../oauth/browser.ts'
import { restDesk } from '../support/desk.ts'
import { tokenIn, ways } from './visitor.ts'

const { shop, client } = await linkingShop()
const { linkTo, mailsTo } = ways(shop)
const desk = restDesk(shop)
beforeEach(() => {
  shop.time.now = new Date()
})

/** Asks for a link on the page that one is on, and uses it in the same browser. */
async function enter(one: Browser, email: string, back?: string) {
  const page = await one.open(back === undefined ? '/my' : `/my?${new URLSearchParams({ back })}`)
  const form = { do: 'ask', form: tokenIn(page), email, ...(back !== undefined && { back }) }
  await one.send('/my', form)
  return one.send(await linkTo(email), {})
}

const begin = async (one: Browser) => {
  const { verifier, challenge } = pkce()
  return { verifier, page: await one.open(authorizeUrl(client, challenge, { scope: 'usp:booking' })) }
}

/** Allows what a platform asks, on the page that asks for it; the account that its token is of. */
async function allow(one: Browser, at: string, verifier: string): Promise<string> {
  const form = new URLSearchParams([
    ['do', 'allow'],
    ['scope', 'usp:booking'],
  ])
  const { headers } = await one.send(at, form)
  const code = new URL(headers.location ?? '').searchParams.get('code') ?? ''
  const { body } = await exchange(shop, client, { code, code_verifier: verifier })
  return claimsOf(String(body.access_token)).sub
}

const book = async (email: string) => {
  const day = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
  const slots = await desk.slots('svc_a', { start_date: day(2), end_date: day(7) })
  const buyer = { first_name: 'Alice', last_name: 'Williams', email }
  return (await desk.book(slots.at(used++), { buyer })).data.booking.id
}
let used = 0

test('[no password] who has never been here links a platform by a mailed link, and comes back to the page that asks', async () => {
  const [one, email] = [browser(shop), newEmail()]
  const { verifier, page } = await begin(one)
  const way = /href="(\/my\?back=[^"]+)"/.exec(page.body)?.[1] ?? ''
  expect((await one.open(way)).body).toContain('name="back"')
  const consent = await enter(one, email, new URL(page.at).pathname)
  expect(consent.at).toContain('/link/')
  expect(consent.body).toContain(`You are signed in as ${email}.`)
  expect(await allow(one, consent.at, verifier)).toMatch(/^buy_/)
  expect((await one.open('/account')).body).toContain('Concierge &lt;App&gt;')
})

test('[one account] who is signed in at /my is at /account and /link, each link is still agreed to, and signing out ends both', async () => {
  const [one, email] = [browser(shop), newEmail()]
  await book(email)
  await enter(one, email)
  const account = await one.open('/account')
  expect(account.body).toContain(`You are signed in as ${email}.`)
  const { verifier, page } = await begin(one)
  expect(page.body).toContain('<h1>Let Concierge &lt;App&gt; act for you?</h1>')
  const first = await allow(one, page.at, verifier)
  const elsewhere = browser(shop)
  await enter(elsewhere, email)
  const again = await begin(elsewhere)
  expect(await allow(elsewhere, again.page.at, again.verifier)).toBe(first)
  await one.send('/account', { do: 'leave' })
  expect((await one.open('/account')).body).toContain('<h1>Sign in</h1>')
  expect((await one.open('/my')).body).not.toContain('signed in')
  expect((await elsewhere.open('/my')).body).toContain('signed in')
})

test('[whose it is] an account that somebody made under the address before is another, and gets nothing of it', async () => {
  const [mallory, alice, email] = [browser(shop), browser(shop), newEmail()]
  const theirs = { do: 'create', email, password: PASSWORD, name: 'Mallory' }
  await mallory.send('/account', theirs)
  const early = pkce()
  const code = (await comeBack(browser(shop), client, early.challenge, { email, known: true })).searchParams.get('code')
  const { body } = await exchange(shop, client, { code: code ?? '', code_verifier: early.verifier })
  const planted = claimsOf(String(body.access_token)).sub

  const id = await book(email)
  await enter(alice, email)
  const { verifier, page } = await begin(alice)
  const owner = await allow(alice, page.at, verifier)
  expect(owner).not.toBe(planted)
  expect((await alice.open('/my')).body).toContain(id)
  expect((await alice.open('/account')).body.match(/value="unlink"/g)).toHaveLength(1)

  // Whoever has the password has what they had, before and after: no bookings, no links of the owner.
  expect(await accountOfPassword(shop.runtime.db, email, PASSWORD)).toBe(planted)
  await mallory.send('/account', { do: 'unlink', client: client.id })
  expect((await mallory.open('/account')).body).toContain('No app may act for you here.')
  expect((await alice.open('/account')).body).toContain('Concierge')
  for (const one of [mallory, browser(shop)]) {
    await one.send('/account', { ...theirs, do: 'sign_in' })
    expect((await one.open('/my')).body).not.toContain(id)
    expect((await one.open('/my')).body).not.toContain('signed in')
  }
})

test('[whose it is] one made afterwards is another too, and nobody is told that the address is owned', async () => {
  const [alice, mallory, email] = [browser(shop), browser(shop), newEmail()]
  await book(email)
  await enter(alice, email)
  const made = await mallory.send('/account', { do: 'create', email, password: PASSWORD, name: 'Mallory' })
  expect(made.body).toContain('You are signed in as Mallory.')
  expect((await mallory.open('/my')).body).not.toContain('signed in')
})

test('[whose it is] a session that came by a password is none at /my, wherever its cookie is put', async () => {
  const [one, email] = [browser(shop), newEmail()]
  await book(email)
  await one.send('/account', { do: 'create', email, password: PASSWORD, name: 'Mallory' })
  const { value = '' } = one.jar.get('usp_account /account') ?? {}
  expect(value).not.toBe('')
  one.jar.set('usp_my /', { value, path: '/' })
  expect((await one.open('/my')).body).not.toContain('signed in')
})

test('[forgotten] who has an account with a password and no bookings gets a link', async () => {
  const [one, email] = [browser(shop), newEmail()]
  await browser(shop).send('/account', { do: 'create', email, password: PASSWORD, name: 'Alice' })
  const entered = await enter(one, email, '/account')
  expect(entered.body).toContain('<h1>Your account</h1>')
  expect(entered.body).toContain(`You are signed in as ${email}.`)
})

test('[nobody is written to] who has nothing here, by a link that no platform asked for or that is over', async () => {
  const one = browser(shop)
  const { page } = await begin(one)
  const asked = new URL(page.at).pathname
  const ask = async (back: string) => {
    const [email, sheet] = [newEmail(), await one.open(`/my?${new URLSearchParams({ back })}`)]
    const sent = await one.send('/my', { do: 'ask', form: tokenIn(sheet), email, back })
    expect(sent.body).toContain('role="status"')
    return { mails: (await mailsTo(email)).length, isKept: sheet.body.includes('name="back"') }
  }
  expect(await ask(asked)).toEqual({ mails: 1, isKept: true })
  expect(await ask('/link/x')).toEqual({ mails: 0, isKept: false })
  expect(await ask(`${asked}x`)).toEqual({ mails: 0, isKept: false })
  shop.time.now = new Date(Date.now() + 31 * 60_000)
  expect(await ask(asked)).toEqual({ mails: 0, isKept: false })
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
