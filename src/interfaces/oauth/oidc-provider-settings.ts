import { type Client, type Context, errors } from 'oidc-provider'
import { ASSISTANT_SCOPE, scopesIn } from '../../core/tokens/oauth-scopes.ts'
import { paths } from '../../core/tokens/own-issuer.ts'
import { isAccount } from '../../domain/accounts/buyer-accounts.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { failedPage } from './failed-authorization-page.ts'
import { isAssistant } from './is-assistant-client.ts'
import { SESSION_COOKIE } from './serve.ts'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS

/**
 * The lifetimes of OAuth codes, tokens and grants in seconds. A buyer's permission for a platform or an assistant ends
 * after 90 days without use, and at the latest after a year.
 */
const LIFETIMES_SECONDS = {
  AuthorizationCode: MINUTE_SECONDS,
  Interaction: 30 * MINUTE_SECONDS,
  Session: MINUTE_SECONDS,
  RefreshToken: 90 * DAY_SECONDS,
  Grant: 365 * DAY_SECONDS,
}

/**
 * The settings of the OAuth library oidc-provider for access to buyers' accounts. The library uses authorization codes
 * with PKCE, and replaces each refresh token after its use. It stores no sign-in and no earlier consent, so the buyer
 * confirms each access on a page.
 */
export const linkingSettings = (dependencies: Dependencies<'db' | 'business'>) => ({
  responseTypes: ['code'],
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  ttl: LIFETIMES_SECONDS,
  interactions: { url: (_: Context, { uid }: { uid: string }) => `/link/${uid}` },
  cookies: {
    names: { interaction: 'usp_link', resume: 'usp_link_resume', session: SESSION_COOKIE },
    long: { httpOnly: true, sameSite: 'lax', path: paths.authorization },
  },
  // The server ignores unknown scopes (RFC 6749, section 3.3), but needs at least one known scope. An assistant that
  // names no known scope gets the scope for booking.
  extraParams: {
    async scope({ oidc }: Context, requested: string | undefined, client: Client) {
      const requestedScopes = scopesIn(requested)
      const scopes = requestedScopes.length === 0 && isAssistant(client) ? [ASSISTANT_SCOPE] : requestedScopes
      if (scopes.length === 0) throw new errors.InvalidScope('none of the scopes is known here', requested ?? '')
      if (oidc?.params) oidc.params.scope = scopes.join(' ')
    },
  },
  loadExistingGrant: async ({ oidc }: Context) => {
    const grant = oidc?.result?.consent?.grantId
    return grant === undefined ? undefined : oidc?.provider.Grant.find(grant)
  },
  async findAccount(_: Context, id: string) {
    return (await isAccount(dependencies.db, id)) ? { accountId: id, claims: async () => ({ sub: id }) } : undefined
  },
  expiresWithSession: async () => false,
  issueRefreshToken: async (_: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  extraTokenClaims: async (_: Context, { grantId }: { grantId?: string }) => grantId && { grant: grantId },
  async renderError(context: Context, { error_description: why }: { error_description?: string }) {
    const { headers, body } = await failedPage(
      { status: context.status, why, url: context.url, headers: context.headers },
      dependencies,
    )
    context.set(headers)
    context.body = body
  },
})
