import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectStatus, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'

const rest = { only: 'rest' } as const
const METADATA_PATH = '/.well-known/oauth-authorization-server'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export const oauthChecks = [
  check(
    'AUT-060',
    'The token endpoint refuses a wrong secret and an unsupported grant',
    async (c) => {
      const endpoint = tokenEndpoint(c)
      const authorization = `Basic ${Buffer.from('client_of_nobody:secret').toString('base64')}`
      const send = (body: string) =>
        c.anonymous.request('POST', endpoint, { body, headers: { ...FORM, authorization } })
      const wrongSecret = await send('grant_type=client_credentials')
      expectStatus(wrongSecret, 401)
      expectEqual(asMembers(wrongSecret.json)?.error, 'invalid_client', 'error')
      const client = `Basic ${Buffer.from(c.client).toString('base64')}`
      const headers = { ...FORM, authorization: client }
      const unsupported = await c.anonymous.request('POST', endpoint, { body: 'grant_type=x_conformance', headers })
      expectStatus(unsupported, 400)
      expectEqual(asMembers(unsupported.json)?.error, 'unsupported_grant_type', 'error')
    },
    rest,
  ),
  check(
    'AUT-066',
    'The OAuth metadata names the issuer, the grants and PKCE',
    async (c) => {
      const metadata = await metadataOf(c)
      const issuer = expectText(metadata.issuer, 'issuer')
      const wellKnown = new URL(METADATA_PATH + new URL(issuer).pathname.replace(/\/$/, ''), issuer).href
      const again = asMembers((await c.anonymous.request('GET', wellKnown)).json)
      expectEqual(again?.issuer, issuer, 'the issuer at its own address')
      expectText(metadata.token_endpoint, 'token_endpoint')
      const methods = metadata.code_challenge_methods_supported
      expectTrue(
        metadata.authorization_endpoint === undefined || (Array.isArray(methods) && methods.includes('S256')),
        'S256 in code_challenge_methods_supported',
        methods,
      )
    },
    rest,
  ),
]

export function tokenEndpoint({ target }: CheckContext): string {
  const endpoint = asMembers(target.profile.authorization)?.token_endpoint
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
