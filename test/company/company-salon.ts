import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { deskDefinition, deskSalon } from '../interfaces/desk/receptionist.ts'
import { restDesk } from '../support/desk.ts'
import { CLIENT, type ProviderStandIn } from './stand-in.ts'

export const settingsOf = ({ issuer }: Pick<ProviderStandIn, 'issuer'>, more: Record<string, unknown> = {}) => ({
  ...CLIENT,
  name: 'Example ID',
  issuer,
  domains: ['example.com'],
  rules: [],
  ...more,
})

export const START = '/desk/company-sign-in'
export const TEST = '/desk/company-sign-in/test'

/** A salon whose staff can sign in with a provider. */
export async function companySalon(
  provider: ProviderStandIn,
  env: NodeJS.ProcessEnv = {},
  more: Partial<BusinessDefinition> = {},
) {
  const salon = await deskSalon({ TRUST_PROXY: '127.0.0.1', ...env }, { ...deskDefinition, ...more })
  const { shop } = salon
  const owner = await salon.signedIn('owner')
  const ownerToken = await shop.staffAs('owner')
  const call = (what: 'get' | 'set' | 'remove', input: Record<string, unknown> = {}) =>
    restDesk(shop).call(`usp_business_company_sign_in_${what}`, input, { as: ownerToken })
  const from = callers()
  /** The address at the provider to which a browser is sent. */
  const toProvider = async (
    one: ReturnType<typeof salon.person>,
    path = START,
    headers: Record<string, string> = from(),
  ): Promise<string> => (await one.open(path, headers)).headers.location ?? ''
  const enter = async (claims: Record<string, unknown>, one = salon.person()) => {
    const answer = await one.open(provider.comeBack(await toProvider(one), claims))
    return { ...answer, one }
  }
  return {
    ...salon,
    owner,
    call,
    from,
    toProvider,
    enter,
    /** Who is signed in with this browser, or undefined. */
    async nameOf(one: ReturnType<typeof salon.person>): Promise<string | undefined> {
      return /Sign out ([^<]+)</.exec(String((await one.open('/desk')).body))?.[1]
    },
    /** Enters settings and tests them, as an owner does. */
    async setUp(more: Record<string, unknown> = {}) {
      // Many attempts of one browser in one minute are delayed.
      shop.minutesLater(1)
      const said = await call('set', settingsOf(provider, more))
      if (said.code !== undefined) throw new Error(JSON.stringify(said.data))
      return owner.open(provider.comeBack(await toProvider(owner, TEST), { sub: 'account of the owner' }))
    },
    staff: () => shop.runtime.db.selectFrom('staff').selectAll().orderBy('created_at').execute(),
    sessions: () => shop.runtime.db.selectFrom('staff_sessions').selectAll().execute(),
    accounts: () => shop.runtime.db.selectFrom('company_accounts').selectAll().execute(),
    changes: () => shop.runtime.db.selectFrom('changes').selectAll().orderBy('number').execute(),
  }
}

export type CompanySalon = Awaited<ReturnType<typeof companySalon>>

/** Each call from another network, so that no limit is met. */
function callers() {
  let nth = 0
  return () => ({ 'x-forwarded-for': `198.51.${(++nth >> 8) & 255}.${nth & 255}` })
}
