import { KeyPair } from '../../caller/key-pair.ts'
import { type RequestToSign, type SignatureOptions, signatureHeaders } from '../../caller/message-signature.ts'
import { expectTrue } from '../../run/expectations.ts'
import { signatureCheck } from './mechanism-check.ts'
import { expectAccepted, expectBadRequest, expectRefused, probe, probeWrite } from './probe.ts'

const only = { only: 'rest' } as const
const mcp = { only: 'mcp' } as const
const UNKNOWN_ALGORITHM = { kid: 'odd', kty: 'X-CONFORMANCE', alg: 'X-CONFORMANCE', use: 'sig', x: 'AQAB' }

export const signatureKeyChecks = [
  signatureCheck(
    'SIG-027',
    'A signature by the key of one platform under the profile of another gives key_not_found',
    async (c) => {
      const { profile } = c.platform.hosted
      const caller = c.callerFor({ profile, key: c.sharedPlatform.hosted.key }, 'signature')
      expectRefused(await probe(caller), 'key_not_found')
    },
    only,
  ),
  signatureCheck(
    'SIG-028',
    'A keyid of a key with an unknown algorithm gives algorithm_unsupported, and the other key works',
    async (c) => {
      const { hosted, caller } = c.newPlatform('signature')
      hosted.document.keys = [UNKNOWN_ALGORITHM, hosted.key.published]
      expectBadRequest(await probe(caller, { signature: { keyid: 'odd' } }), 'algorithm_unsupported')
      expectAccepted(await probe(caller))
    },
    only,
  ),
  signatureCheck(
    'SIG-031',
    'The server verifies a signature by an Ed25519 key of the profile',
    async (c) => {
      const { hosted } = c.newPlatform()
      const key = new KeyPair('EdDSA')
      hosted.document.keys = [key.published]
      expectAccepted(await probe(c.callerFor({ profile: hosted.profile, key }, 'signature')))
    },
    only,
  ),
  signatureCheck(
    'SIG-038',
    'A valid signature passes beside a signature of somebody else, in each order',
    async ({ sharedPlatform: { caller, hosted } }) => {
      const own = { by: hosted.key, label: 'own' }
      const foreign = { by: new KeyPair(), label: 'foreign' }
      for (const signatures of [
        [own, foreign],
        [foreign, own],
      ])
        expectAccepted(await probeWrite(caller, { authentication: 'none', change: signedBy(signatures) }))
    },
    only,
  ),
  signatureCheck(
    'SIG-039',
    'Two signatures of which none meets every rule do not authenticate together',
    async ({ sharedPlatform: { caller, hosted } }) => {
      const incomplete = { by: hosted.key, label: 'incomplete', without: ['@path'] }
      const forged = { by: new KeyPair(), label: 'forged', keyid: hosted.key.thumbprint }
      for (const signatures of [
        [incomplete, forged],
        [forged, incomplete],
      ]) {
        const answer = await probeWrite(caller, { authentication: 'none', change: signedBy(signatures) })
        const codes = ['signature_missing', 'signature_invalid']
        expectTrue(
          answer.status === 401 && codes.includes(String(answer.error?.code)),
          `HTTP 401 with ${codes.join(' or ')}`,
          `HTTP ${answer.status} ${answer.error?.code}`,
        )
      }
    },
    only,
  ),
  signatureCheck(
    'SIG-043',
    'The signature of the POST authenticates a tool call',
    async ({ sharedPlatform: { caller } }) => {
      expectAccepted(await probe(caller, { authentication: 'signature' }))
      const signature = { without: ['@path'], also: [['@path', '/other']] as [string, string][] }
      expectRefused(await probe(caller, { authentication: 'signature', signature }), 'signature_invalid')
    },
    mcp,
  ),
  signatureCheck(
    'SIG-044',
    'A signed tool call whose signature does not cover Content-Digest counts as unsigned',
    async ({ sharedPlatform: { caller } }) => {
      const signature = { without: ['content-digest'] }
      expectRefused(await probe(caller, { authentication: 'signature', signature }), 'signature_missing')
    },
    mcp,
  ),
]

interface Signer extends SignatureOptions {
  by: KeyPair
}

/** Signs a request several times, each time over the request without signatures. */
const signedBy =
  (signers: Signer[]) =>
  <T extends RequestToSign>(request: T): T => {
    const each = signers.map(({ by, ...options }) => signatureHeaders(by, request, options))
    const joined = (name: 'signature' | 'signature-input') => each.map((headers) => headers[name]).join(', ')
    const signatures = { signature: joined('signature'), 'signature-input': joined('signature-input') }
    return { ...request, headers: { ...request.headers, ...each[0], ...signatures } }
  }
