import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectStatus, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'

const once = { once: true } as const
const METADATA_PATH = '/.well-known/oauth-authorization-server'

export const oauthChecks = [
  check(
    'AUT-060',
    'The token endpoint refuses a wrong secret and an unsupported grant type',
    async (c) => {
      const wrongSecret = await requestToken(c, 'client_credentials', 'client_of_nobody:secret')
      expectStatus(wrongSecret, 401)
      expectEqual(asMembers(wrongSecret.json)?.error, 'invalid_client', 'error')
      const unsupported = await requestToken(c, 'x_conformance')
      expectStatus(unsupported, 400)
      expectEqual(asMembers(unsupported.json)?.error, 'unsupported_grant_type', 'error')
    },
    once,
  ),
  check(
    'AUT-066',
    'The OAuth metadata names the issuer, the grants and PKCE',
    async (c) => {
      const metadata = await metadataOf(c)
      const issuer = expectText(metadata.issuer, 'issuer')
      const wellKnown = new URL(METADATA_PATH + new URL(issuer).pathname.replace(/\/$/, ''), issuer).href
      const again = asMembers((await c.anonymous.request('GET', wellKnown)).json)
      expectEqual(again?.issuer, issuer, 'the issuer in the metadata at the issuer’s address')
      expectText(metadata.token_endpoint, 'token_endpoint')
      const methods = metadata.code_challenge_methods_supported
      expectTrue(
        metadata.authorization_endpoint === undefined || (Array.isArray(methods) && methods.includes('S256')),
        'S256 in code_challenge_methods_supported',
        methods,
      )
    },
    once,
  ),
]

/** Requests an access token as this client. The text `client` has the form `ID:SECRET`. */
export function requestToken(c: CheckContext, grant: string, client?: string): Promise<Answer> {
  const endpoint = tokenEndpoint(c)
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(client ?? c.client).toString('base64')}`,
  }
  return c.anonymous.request('POST', endpoint, { body: `grant_type=${grant}`, headers })
}

function tokenEndpoint({ target }: CheckContext): string {
  const endpoint = target.policy?.token_endpoint
  if (!target.mechanisms.includes('oauth2_bearer') || typeof endpoint !== 'string')
    throw new Skip('The business does not accept oauth2_bearer.')
  return endpoint
}

async function metadataOf({ anonymous, target }: CheckContext): Promise<Members> {
  const answer = await anonymous.request('GET', target.origin + METADATA_PATH)
  const metadata = asMembers(answer.json)
  if (answer.status !== 200 || !metadata) throw new Skip('The business offers no identity linking.')
  return metadata
}
