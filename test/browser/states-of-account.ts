import type { Page } from 'playwright-core'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { mailList } from '../../src/core/mails/queries.ts'
import { accountInsert } from '../../src/domain/accounts/buyer-accounts.ts'
import { ways } from '../my-bookings/visitor.ts'
import { BACK } from '../oauth/browser.ts'
import type { Act, State } from './every-state.ts'
import type { OpenShop } from './open-shop.ts'
import { challenge, statesByAssistant } from './states-by-assistant.ts'
import { fillIn, submit } from './visitor.ts'

/** Who has booked finds it again, by what comes by mail, and lets platforms in. */
export async function statesOfAccount(shop: OpenShop, email: string): Promise<State[]> {
  const byMail = ways(shop)
  await byMail.person().ask(email)
  const [mail] = await mailList(shop.runtime.db, { limit: 1 })
  /** With which a password can be chosen. */
  const linkForAccount = async () => {
    const wanted = 'wanted@example.com'
    await accountInsert(shop.runtime.db, wanted, 'somebody has chosen it', shop.time.now)
    await byMail.person().ask(wanted, { back: '/account' })
    return byMail.linkTo(wanted)
  }

  /** By a link of its own: each works once. */
  const signIn = async (page: Page) => {
    await byMail.person().ask(email)
    await page.goto(shop.url + (await byMail.linkTo(email)))
    await submit(page)
    await page.waitForURL(/\/my$/)
  }
  return [
    ['asking for a link', '/my'],
    [
      'asking for it without an address',
      '/my',
      async (page) => {
        await submit(page)
        await page.locator('[aria-invalid]').waitFor()
      },
    ],
    [
      'a link on its way',
      '/my',
      async (page) => {
        await fillIn(page, { email: 'nobody@example.com' })
        await submit(page)
        await page.getByRole('status').waitFor()
      },
    ],
    ['a link', await byMail.linkTo(email)],
    ['a link that was used', '/my/enter/none'],
    ['a link for an account that somebody made before', await linkForAccount()],
    [
      'a password that is too short',
      await linkForAccount(),
      async (page) => {
        await fillIn(page, { 'new-password': 'short' })
        await submit(page)
        await page.getByRole('alert').waitFor()
      },
    ],
    ['signing in', '/account'],
    [
      'signing in as nobody',
      '/account',
      async (page) => {
        await fillIn(page, { email: 'nobody@example.com', password: 'swordfish swordfish' })
        await page.locator('main form button').first().click()
        await page.getByRole('alert').waitFor()
      },
    ],
    ['my bookings', '/my', signIn],
    ['my account', '/account'],
    ['mails', '/mails'],
    ['a mail', `/mails/${mail?.id}`],
    [
      'a mail as it comes',
      '/mails',
      async (page) => {
        // Where it is shown no script may run, axe-core neither.
        const { body } = await shop.raw({ method: 'GET', url: `/mails/${mail?.id}/html` })
        await page.goto('about:blank')
        await page.setContent(body)
      },
    ],
    ['a request for an account that is over', '/link/none'],
    ['a request for an account that does not work', '/oauth/authorize?client_id=none'],
    ...(await linking(shop, signIn)),
    ...(await statesByAssistant(shop, signIn)),
  ]
}

async function linking(shop: OpenShop, signIn: Act): Promise<State[]> {
  const client = await addClient(shop.runtime.db, 'Concierge <App>', shop.time.now, [BACK])
  const asked = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: BACK,
    state: 'state',
    scope: 'usp:booking usp:history',
    ...challenge(),
  }
  const address = `/oauth/authorize?${new URLSearchParams(asked)}`
  const ask = (page: Page) => page.goto(shop.url + address)
  return [
    [
      'signing in for a platform',
      address,
      async (page) => {
        await page.context().clearCookies()
        await ask(page)
      },
    ],
    [
      'what a platform asks for',
      address,
      async (page) => {
        await signIn(page)
        await ask(page)
      },
    ],
    [
      'an account with a platform',
      address,
      async (page) => {
        await page.locator('button[value=allow]').click()
        // Where it leads to is nowhere.
        await page.waitForURL(/^chrome-error:/)
        await page.goto(`${shop.url}/account`)
      },
    ],
  ]
}
