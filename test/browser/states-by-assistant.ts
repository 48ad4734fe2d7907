import type { Page } from 'playwright-core'
import { assistantUpsert, newAssistantId } from '../../src/core/tokens/registered-assistants.ts'
import { assistant } from '../interfaces/assistant/talk.ts'
import { pkce } from '../oauth/browser.ts'
import { restDesk } from '../support/desk.ts'
import type { Act, State } from './every-state.ts'
import { type OpenShop, secondsLater } from './open-shop.ts'
import { fillIn } from './visitor.ts'

/** Where an assistant sends somebody: to let it act for them, and to book what it found. */
export const statesByAssistant = async (shop: OpenShop, signIn: Act): Promise<State[]> => [
  ...(await consent(shop, signIn)),
  ...links(shop),
]

/** One on the person's own machine, and one elsewhere. */
async function consent(shop: OpenShop, signIn: Act): Promise<State[]> {
  const sites = { here: 'http://127.0.0.1:33418/callback', elsewhere: 'https://assistant.example/back' }
  const states = Object.entries(sites).map(async ([where, redirect_uri]): Promise<State[]> => {
    const id = newAssistantId()
    const one = { id, name: 'Claude Desktop', redirect_uris: [redirect_uri], network: where }
    await assistantUpsert(shop.runtime.db, one, shop.time.now)
    const asked = { response_type: 'code', client_id: id, redirect_uri, ...challenge() }
    const address = `/oauth/authorize?${new URLSearchParams(asked)}`
    const ask = (page: Page) => page.goto(shop.url + address)
    const askStranger = async (page: Page) => {
      await page.context().clearCookies()
      await ask(page)
    }
    return [
      [`signing in for an assistant ${where}`, address, askStranger],
      [
        `signing in for an assistant ${where} as nobody`,
        address,
        async (page) => {
          await askStranger(page)
          await fillIn(page, { email: 'nobody@example.com', password: 'swordfish swordfish' })
          await page.locator('main form button').first().click()
          await page.getByRole('alert').waitFor()
        },
      ],
      [
        `what an assistant ${where} asks for`,
        address,
        async (page) => {
          await signIn(page)
          await ask(page)
        },
      ],
      [
        `an account with an assistant ${where}`,
        address,
        async (page) => {
          await page.locator('button[value=allow]').click()
          // Where it leads to is nowhere.
          await page.waitForURL(/^chrome-error:/)
          await page.goto(`${shop.url}/account`)
        },
      ],
      ...(where === 'elsewhere'
        ? [['an assistant that asks for what cannot be', `${address}&prompt=none`] as State]
        : []),
    ]
  })
  return (await Promise.all(states)).flat()
}

export const challenge = () => ({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })

function links(shop: OpenShop): State[] {
  let networks = 0
  /** A link for a time that no other is for, from a network of its own, which may keep it. */
  async function link() {
    const from = `203.0.113.${100 + networks}`
    const { call } = assistant(shop, { remoteAddress: from })
    const wish = { service_ids: ['svc_haircut'], from: '2026-12-09', limit: 25 }
    const { times } = (await call('find_times', wish)).data
    const { slot_id } = times[4 * networks++].slots[0]
    return { slot_id, from, link: (await call('book', { slot_id })).data.link as string }
  }
  const open = async (page: Page, { from, link }: { from: string; link: string }) => {
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': from })
    await page.goto(link)
    await page.setExtraHTTPHeaders({})
  }
  return [
    ['a link of an assistant', '/book', async (page) => open(page, await link())],
    [
      'a link of an assistant that somebody else was faster than',
      '/book',
      async (page) => {
        const late = await link()
        secondsLater(shop, 6 * 60)
        await restDesk(shop).book({ id: late.slot_id, service_id: 'svc_haircut' })
        await open(page, late)
        secondsLater(shop, -6 * 60)
        await page.getByRole('alert').waitFor()
      },
    ],
    ['a link that no assistant gave', '/book/svc_haircut/details?hold=none&visit=none'],
  ]
}
