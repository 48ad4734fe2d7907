import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  authorizationUrl,
  claimsForCode,
  type IdClaims,
  ProviderError,
  readProvider,
  type SignInSecrets,
  withProvider,
} from '../../core/authentication/company-provider.ts'
import { recordFirstUse } from '../../core/authentication/refuse-replayed-proofs.ts'
import type { SignedInStaff } from '../../core/authentication/staff-sessions.ts'
import { type StoredCompanySignIn, storedCompanySignIn } from '../../core/business/company-sign-in-queries.ts'
import { newSecret, secretDigest, unsealIfPossible } from '../../core/keys/encrypt-secrets.ts'
import { countSignInAttempt } from '../../domain/accounts/count-sign-in-attempt.ts'
import { getCompanySignIn } from '../../domain/desk/setup/get-company-sign-in.ts'
import { recordCompanySignInTest } from '../../domain/desk/setup/record-company-sign-in-test.ts'
import { enterByCompanyAccount } from '../../domain/desk/staff/enter-by-company-account.ts'
import { COMPANY_RETURN_PATH, companyReturnUrl } from '../../infra/config/company-sign-in-url.ts'
import { randomBytes } from '../../infra/util/random-bytes.ts'
import { isEqualInConstantTime } from '../../protocol/keyed-digest.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'
import { ownCookie } from '../pages/cookies.ts'
import { forbidden } from '../pages/error-pages.ts'
import { isForeign, pageRoute, queryOf } from '../pages/page-route-setup.ts'
import { type DeskDependencies, isAllowed, missingRolePage } from './call-operation-as-staff.ts'
import { COMPANY_START_PATH } from './company-sign-in-button.ts'
import { type DeskView, sendDesk } from './desk-page.ts'
import { COMPANY_TEST_PATH, type CompanyTest, companySignInPage } from './setup/company-sign-in-page.ts'
import { signInPage } from './sign-in-pages.ts'
import { findSignedInStaff, signIn } from './staff-browser-session.ts'

/** How long a person may take to sign in at the provider. */
const SIGN_IN_SECONDS = 600
const MAX_CODE_CHARACTERS = 8_000
const BYTES = { state: 16, nonce: 24, verifier: 32 }

/** Identifies the browser between the two steps of a sign-in. */
const cookie = ownCookie('usp_desk_company')

/** Serves the sign-in with the provider of the company (OpenID Connect, authorization code flow with PKCE). */
export function serveCompanySignIn(scope: FastifyInstance, dependencies: DeskDependencies) {
  const options = pageRoute(dependencies)
  scope.get(COMPANY_START_PATH, options, async (request, reply) => {
    const settings = await storedCompanySignIn(dependencies.db)
    if (!settings?.tested_at) return sendDesk(reply, { to: '/desk' }, dependencies)
    return start({ settings, use: 'enter' }, request, reply, dependencies)
  })
  scope.get(COMPANY_TEST_PATH, options, async (request, reply) => {
    const who = await findSignedInStaff(request, dependencies)
    if (!who) return sendDesk(reply, await signInPage(request, dependencies), dependencies)
    if (!isAllowed(who, getCompanySignIn))
      return sendDesk(reply, missingRolePage(getCompanySignIn, { who, request }), dependencies)
    const settings = await storedCompanySignIn(dependencies.db)
    if (!settings) return sendDesk(reply, { to: '/desk/setup' }, dependencies)
    return start({ settings, use: testBy(who) }, request, reply, dependencies)
  })
  scope.get(COMPANY_RETURN_PATH, options, async (request, reply) =>
    sendDesk(reply, await afterReturn(request, reply, dependencies), dependencies),
  )
}

interface SignInAtProvider {
  settings: StoredCompanySignIn
  /** The use of the sign-in. A sign-in for one use is invalid for another use. */
  use: string
}

const testBy = ({ session }: SignedInStaff) => `test by ${session}`

async function start(
  { settings, use }: SignInAtProvider,
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: DeskDependencies,
) {
  const { config, cursors, clock } = dependencies
  if (isForeign(request, config)) return sendDesk(reply, forbidden(request.localizer), dependencies)
  const browser = cookie.read(request, config) || newSecret('company')
  // The server counts the attempt before it calls the provider. The name of the browser keeps the attempts of other
  // browsers in the same network apart.
  await countSignInAttempt(dependencies, `company ${browser}`, request.ip)
  try {
    const provider = await withProvider(config, (fetchJson) => readProvider(settings.issuer, fetchJson))
    const random = randomBytes(BYTES.state).toString('base64url')
    const state = cursors.seal(scopeOf({ settings, use }, browser), [random], clock())
    const client = { clientId: settings.client_id, redirectUri: companyReturnUrl(config) }
    cookie.keep(reply, browser, SIGN_IN_SECONDS, config)
    return reply.redirect(authorizationUrl(provider, client, secretsOf(state, browser, dependencies)), 303)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return sendDesk(reply, await failedPage(error, request, dependencies), dependencies)
  }
}

/** A state is valid only in one browser, for one use, and as long as an owner does not change the settings. */
const scopeOf = ({ settings, use }: SignInAtProvider, browser: string) =>
  `company sign-in ${settings.revision} ${use} ${secretDigest(browser).toString('base64url')}`

/** Derives the other secrets of a sign-in from its state, so that the server need not store them. */
const secretsOf = (state: string, browser: string, { tag }: Pick<DeskDependencies, 'tag'>): SignInSecrets => ({
  state,
  nonce: tag('company sign-in nonce', `${state} ${browser}`, BYTES.nonce),
  verifier: tag('company sign-in verifier', `${state} ${browser}`, BYTES.verifier),
})

/**
 * Continues a sign-in after the provider sent the browser back. The answer does not tell why the server lets a person
 * not in, because it must not reveal who is a staff member.
 */
async function afterReturn(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: DeskDependencies,
): Promise<DeskView | { to: string }> {
  const { db, config, clock, cursors } = dependencies
  const [settings, browser, state] = [
    await storedCompanySignIn(db),
    cookie.read(request, config),
    queryOf(request).get('state') ?? '',
  ]
  if (!settings || browser === '') return refusedPage(request, dependencies)
  const who = await findSignedInStaff(request, dependencies)
  const use = ['enter', ...(who ? [testBy(who)] : [])].find((one) =>
    openSealed(() => cursors.open(scopeOf({ settings, use: one }, browser), state, clock(), SIGN_IN_SECONDS)),
  )
  if (use === undefined || !(await recordFirstUse(db, `company sign-in ${state}`, SIGN_IN_SECONDS, clock())))
    return refusedPage(request, dependencies)
  const isTest = use !== 'enter'
  try {
    const claims = await claimsAfterReturn(settings, secretsOf(state, browser, dependencies), request, dependencies)
    if (isTest && who) return await testedPage(claims, { who, request, settings }, dependencies)
    const findStaff = (tx: Parameters<typeof enterByCompanyAccount>[0], now: Date) =>
      enterByCompanyAccount(tx, claims, settings, now)
    const staffId = await signIn({ findStaff, isByCompany: true }, request, reply, dependencies)
    return staffId === undefined ? refusedPage(request, dependencies) : { to: '/desk' }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (isTest && who) return companySignInPage({ who, request }, dependencies, { test: { fault: error.fault } })
    return failedPage(error, request, dependencies)
  }
}

async function claimsAfterReturn(
  settings: StoredCompanySignIn,
  secrets: SignInSecrets,
  request: FastifyRequest,
  { config, clock, companySignInKey }: DeskDependencies,
): Promise<IdClaims> {
  const query = queryOf(request)
  const [code, issuer] = [query.get('code') ?? '', query.get('iss')]
  const clientSecret = unsealIfPossible(companySignInKey, settings.client_secret)
  if (clientSecret === undefined) throw new ProviderError('client', 'The client secret cannot be decrypted.')
  if (query.has('error') || code === '' || code.length > MAX_CODE_CHARACTERS) throw noCode()
  if (issuer !== null && !isEqualInConstantTime(issuer, settings.issuer)) throw noCode()
  const client = { clientId: settings.client_id, clientSecret, redirectUri: companyReturnUrl(config) }
  return withProvider(config, async (fetchJson) => {
    const provider = await readProvider(settings.issuer, fetchJson)
    if (provider.namesIssuer && issuer === null) throw noCode()
    return claimsForCode(code, provider, { client, secrets, now: clock() }, fetchJson)
  })
}

const noCode = () => new ProviderError('token', 'The provider sent no code.')

/** Lets the settings take effect, and shows the owner what they mean for the account of the test. */
async function testedPage(
  claims: IdClaims,
  { who, request, settings }: { who: SignedInStaff; request: FastifyRequest; settings: StoredCompanySignIn },
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const isRecorded =
    isAllowed(who, getCompanySignIn) &&
    (await dependencies.makeChange((tx) =>
      recordCompanySignInTest(tx, { revision: settings.revision, ownerId: who.id }, dependencies.clock()),
    ))
  const test: CompanyTest = isRecorded ? { claims, settings } : { fault: 'token' }
  return companySignInPage({ who, request }, dependencies, { test })
}

const refusedPage = (request: FastifyRequest, dependencies: DeskDependencies) =>
  signInPage(request, dependencies, { status: 422, problem: 'desk.company.failed' })

const failedPage = ({ fault }: ProviderError, request: FastifyRequest, dependencies: DeskDependencies) =>
  fault === 'unreachable'
    ? signInPage(request, dependencies, { status: 503, problem: 'desk.company.unreachable' })
    : refusedPage(request, dependencies)
