import { signatureKeyOf } from '../../caller/caller.ts'
import { expectEqual, expectStatus, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { proofAndSignatureCheck, proofCheck, requireMechanism } from './mechanism-check.ts'
import { expectAccepted, expectBadRequest, expectRefused, probe } from './probe.ts'
import { type RequestChange, signedBy, withHeaders } from './request-changes.ts'

const needs = ['services.bookings']
const rest = { needs, only: 'rest' } as const

const bearer = (value: string) => ({ authentication: 'none', headers: { authorization: `Bearer ${value}` } }) as const
const invalidProof = { proof: { header: { typ: 'JWT' } } }

export const accessErrorChecks = [
  check(
    'AUT-036',
    'An unknown scheme of Authorization does not authenticate the caller',
    async ({ sharedPlatform: { caller } }) => {
      for (const value of ['Basic dXNlcjpwYXNzd29yZA==', 'Negotiate abc'])
        expectRefused(
          await probe(caller, { authentication: 'none', headers: { authorization: value } }),
          'authentication_required',
        )
    },
    { needs },
  ),
  check(
    'AUT-061 AUT-084',
    'The server refuses an unknown token or key',
    async (c) => {
      const takesTokens = ['oauth2_bearer', 'api_key'].some((mechanism) => c.target.mechanisms.includes(mechanism))
      if (!takesTokens) requireMechanism(c, 'oauth2_bearer')
      for (const value of ['token_of_nobody', 'usk_of_nobody', 'eyJhbGciOiJub25lIn0.e30.'])
        expectRefused(await probe(c.sharedPlatform.caller, bearer(value)), 'authentication_required')
    },
    { needs },
  ),
  check(
    'AUT-062',
    'The refusal of a token contains the error invalid_token',
    async (c) => {
      requireMechanism(c, 'oauth2_bearer')
      const answer = await probe(c.sharedPlatform.caller, bearer('eyJhbGciOiJub25lIn0.e30.'))
      const challenge = answer.headers['www-authenticate'] ?? ''
      expectTrue(/Bearer.*error="?invalid_token"?/.test(challenge), 'Bearer with error="invalid_token"', challenge)
    },
    rest,
  ),
  proofAndSignatureCheck(
    'AUT-035',
    'The server refuses a request with an invalid proof or signature, even if the request also has a valid one',
    async (c) => {
      const { caller, hosted } = c.sharedPlatform
      const alsoSigned = signedBy({ by: signatureKeyOf(hosted) })
      expectAccepted(await probe(caller, { authentication: 'none', change: alsoSigned }))
      expectRefused(await probe(caller, { ...invalidProof, change: alsoSigned }), 'pop_proof_invalid')
      const badSignature = withHeaders({ signature: `sig1=:${'A'.repeat(86)}==:` })
      const badlySigned: RequestChange = (request) => badSignature(alsoSigned(request))
      expectRefused(await probe(caller, { change: badlySigned }), 'signature_invalid')
    },
  ),
  check(
    'AUT-038',
    'A mechanism that the business does not accept does not authenticate the caller',
    async ({ sharedPlatform: { caller } }) => {
      const options = { mechanism: 'x_conformance_unknown' }
      const answer = await probe(caller, options)
      expectRefused(answer, 'authentication_required')
    },
    { needs, only: 'mcp' },
  ),
  check(
    'AUT-039 AUT-040',
    'A refusal for missing authentication offers the schemes that the business accepts',
    async ({ anonymous, target }) => {
      const answer = await probe(anonymous)
      expectStatus(answer, 401)
      const challenge = answer.headers['www-authenticate'] ?? ''
      expectTrue(challenge !== '', 'a WWW-Authenticate header', 'none')
      const accepts = (...names: string[]) => names.some((name) => target.mechanisms.includes(name))
      expectEqual(
        /\bDPoP\b/.test(challenge),
        accepts('platform_key_pop', 'oauth2_bearer'),
        'the presence of DPoP in WWW-Authenticate',
      )
      expectEqual(
        /\bBearer\b/.test(challenge),
        accepts('oauth2_bearer', 'api_key'),
        'the presence of Bearer in WWW-Authenticate',
      )
    },
    rest,
  ),
  check(
    'AUT-041',
    'A refusal for missing authentication names the accepted mechanisms',
    async ({ anonymous, target }) => {
      const members = (await probe(anonymous)).error?.members
      const text = String(members?.detail ?? members?.content)
      const missing = target.mechanisms.filter((name) => !text.includes(name))
      expectEqual(missing, [], 'the mechanisms that are missing in the text')
    },
    { needs },
  ),
  proofCheck(
    'AUT-044',
    'The server refuses a call with a valid proof but without the header USP-Agent',
    async ({ sharedPlatform: { caller } }) => {
      const options = { headers: { 'usp-agent': null } }
      expectBadRequest(await probe(caller, options), 'invalid_request')
      expectAccepted(await probe(caller))
    },
    { only: 'rest' },
  ),
  check(
    'AUT-065',
    'A token in the URL query does not authenticate the caller',
    async ({ sharedPlatform: { caller } }) => {
      for (const name of ['access_token', 'api_key', 'credential'])
        expectRefused(
          await probe(caller, { authentication: 'none' }, { [name]: 'token_of_nobody' }),
          'authentication_required',
        )
    },
    rest,
  ),
]
