import { hash, randomBytes } from 'node:crypto'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import {
  accountOfMailbox,
  normalizedEmail,
  passwordAsStored,
  passwordChoose,
} from '../../src/domain/accounts/buyer-accounts.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Shop, testShop } from '../support/desk.ts'
import type { Answer, TestServer } from '../support/server.ts'
import { basic, type Client, type Settings, origin as usual } from './support.ts'

export const BACK = 'https://platform.example/back'
export const PASSWORD = 'correct horse battery'

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const queue = service('svc_queue', {
  type: 'group',
  capacity: { max: 1, waitlist: true },
  sessions: [{ days: [...DAYS], starts: '09:00' }],
})

/** One that lets platforms act for buyers, and no assistants. */
export const linkingBusiness = (authorization: Settings = {}, more: Partial<BusinessDefinition> = {}) => ({
  ...businessWith([service('svc_a'), queue], {
    authorization: { identity_linking: true, ...authorization },
    website: { assistants: false },
    ...more,
  }),
  hours: [{ days: [...DAYS], opens: '09:00', closes: '18:00' }],
})

/** A shop by the true time, as its authorization server has it, and a client that buyers can be sent back to. */
export async function linkingShop(definition = linkingBusiness(), env: NodeJS.ProcessEnv = {}) {
  const shop = await testShop(definition, { env })
  shop.time.now = new Date()
  return { shop, client: await addClient(shop.runtime.db, 'Concierge <App>', new Date(), [BACK]) }
}

/** One that sends no mails, so that nobody can show whose an address is. Whoever comes, comes through a proxy. */
export const silentShop = () =>
  linkingShop(linkingBusiness(), {
    USP_MODE: 'production',
    DATABASE_URL: 'postgres://u@h/d',
    BASE_URL: 'https://book.example',
    USP_SECRET_KEY: 'x'.repeat(32),
    TRUST_PROXY: '127.0.0.1',
  })

/** One person's browser: it keeps cookies by their paths, fills in forms, and follows where our own pages lead. */
export function browser(server: TestServer, origin = usual) {
  const jar = new Map<string, { value: string; path: string }>()

  const keep = (header: unknown) => {
    for (const line of [header ?? []].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
      if (value === '' || /max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(`${name} ${path}`)
      else jar.set(`${name} ${path}`, { value, path })
    }
  }
  const cookieFor = (path: string) =>
    [...jar]
      .filter(([, { path: under }]) => path === under || path.startsWith(under.endsWith('/') ? under : `${under}/`))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ')

  async function visit(method: 'GET' | 'POST', url: string, form?: URLSearchParams, headers = {}): Promise<Answer> {
    const { pathname, search } = new URL(url, origin)
    const cookie = cookieFor(pathname)
    const answer = await server.raw({
      method,
      url: pathname + search,
      headers: {
        ...(cookie && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        accept: 'text/html',
        ...headers,
      },
      ...(form && { payload: form.toString() }),
    })
    keep(answer.headers['set-cookie'])
    return answer
  }

  /** Goes on for as long as the way stays here; where it leads elsewhere is told as `location`. */
  async function follow(answer: Answer, at: string): Promise<Answer & { at: string }> {
    const { location } = answer.headers
    if (location === undefined) return { ...answer, at }
    const next = new URL(location, origin)
    if (next.origin !== origin) return { ...answer, at }
    return follow(await visit('GET', next.href), next.href)
  }

  return {
    server,
    jar,
    visit,
    open: async (url: string) => follow(await visit('GET', url), url),
    send: async (url: string, form: Record<string, string> | URLSearchParams, headers = {}) =>
      follow(await visit('POST', url, new URLSearchParams(form), headers), url),
  }
}

export type Browser = ReturnType<typeof browser>

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

export const newEmail = () => `buyer-${randomBytes(4).toString('hex')}@example.com`

/** Where a platform sends the buyer. */
export const authorizeUrl = (client: Pick<Client, 'id'>, challenge: string, more: Record<string, string> = {}) =>
  `${usual}/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: BACK,
    scope: 'usp:booking usp:history',
    state: 'st&te',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`

/** An account as somebody has it who opened a link and chose a password: its id. */
export async function accountWith(server: TestServer, email: string): Promise<string> {
  const address = normalizedEmail(email)
  await hashFast(server, address)
  return server.runtime.makeChange(async (tx) => {
    const id = await accountOfMailbox(tx, address, server.time.now)
    await passwordChoose(tx, { id, email: address }, PASSWORD)
    return id
  })
}

/** That which a password opens. */
export async function accountOfPassword({ runtime: { db } }: TestServer, email: string, password: string) {
  const found = await db
    .selectFrom('buyer_accounts')
    .select('id')
    .where('email', '=', email)
    .where('password', '=', await passwordAsStored(db, email, password))
    .executeTakeFirst()
  return found?.id
}

interface Wish {
  email?: string
  /** What the buyer ticks; all that is asked for when left out. */
  granted?: string[]
  asked?: string
}

/** From the platform through the pages and back, up to the address the buyer is sent to, who has an account. */
export async function comeBack(
  person: Browser,
  client: Pick<Client, 'id'>,
  challenge: string,
  { email = newEmail(), asked = 'usp:booking usp:history', granted = asked.split(' ') }: Wish = {},
): Promise<URL> {
  const signIn = await person.open(authorizeUrl(client, challenge, { scope: asked }))
  await accountWith(person.server, email)
  const consent = await person.send(signIn.at, { do: 'sign_in', email, password: PASSWORD })
  const answer = new URLSearchParams([['do', 'allow'], ...granted.map((scope) => ['scope', scope])])
  const { headers } = await person.send(consent.at, answer)
  return new URL(headers.location ?? 'about:blank')
}

export const exchange = (server: TestServer, client: Pick<Client, 'id' | 'secret'>, form: Record<string, string>) =>
  server.raw({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(client) },
    payload: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: BACK, ...form }).toString(),
  })

export const refresh = (server: TestServer, client: Pick<Client, 'id' | 'secret'>, refresh_token: string) =>
  exchange(server, client, { grant_type: 'refresh_token', refresh_token })

/** Hashes the passwords of a new address a hundred times faster: where no test is about that, it is most of the work. */
async function hashFast({ runtime: { db } }: TestServer, email: string) {
  const salt = ['scrypt', 2 ** 10, 8, 1, randomBytes(16).toString('base64url')].join('$')
  const address = { email, salt }
  await db
    .insertInto('buyer_addresses')
    .values(address)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A link, made by hand: the tokens of it. */
export async function linked(server: TestServer, client: Pick<Client, 'id' | 'secret'>, wish: Wish = {}) {
  const { verifier, challenge } = pkce()
  const person = browser(server)
  const code = (await comeBack(person, client, challenge, wish)).searchParams.get('code') ?? ''
  const { body } = await exchange(server, client, { code, code_verifier: verifier })
  return { access: String(body.access_token), refresh: String(body.refresh_token), scope: body.scope, code, verifier }
}

/** The hosts that a page leads to or loads from, its own among them. */
export const hostsOf = (page: string): string[] =>
  [...page.matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(([, url = '']) => new URL(url, usual).hostname)

/** What stands in a token. */
export const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

export const asLinked = (shop: Shop, token: string) => ({
  bearer: token,
  ...(shop.platform.profile && { profile: shop.platform.profile }),
})
