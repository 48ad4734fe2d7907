import { signatureKeyOf } from '../../caller/caller.ts'
import { KeyPair } from '../../caller/key-pair.ts'
import { expectTrue } from '../../run/expectations.ts'
import { requireAlgorithm, signatureCheck } from './mechanism-check.ts'
import { expectAccepted, expectBadRequest, expectRefused, probe, probeWrite, signed } from './probe.ts'
import { signedBy } from './request-changes.ts'

const only = { only: 'rest' } as const
const mcp = { only: 'mcp' } as const
const UNKNOWN_ALGORITHM = { kid: 'odd', kty: 'X-CONFORMANCE', alg: 'X-CONFORMANCE', use: 'sig', x: 'AQAB' }

export const signatureKeyChecks = [
  signatureCheck(
    'SIG-027',
    'A signature by a key of another platform than the named profile gets key_not_found',
    async (c) => {
      const { profile } = c.platform.hosted
      const caller = c.callerFor({ profile, key: signatureKeyOf(c.sharedPlatform.hosted) }, 'signature')
      expectRefused(await probe(caller), 'key_not_found')
    },
    only,
  ),
  signatureCheck(
    'SIG-028',
    'A keyid of a key with an unknown algorithm gets algorithm_unsupported, but other keys of the profile work',
    async (c) => {
      const { hosted, caller } = c.newPlatform('signature')
      hosted.document.keys = [UNKNOWN_ALGORITHM, signatureKeyOf(hosted).published]
      expectBadRequest(await probe(caller, { signature: { keyid: 'odd' } }), 'algorithm_unsupported')
      expectAccepted(await probe(caller))
    },
    only,
  ),
  signatureCheck(
    'SIG-031',
    'The server accepts a signature by an Ed25519 key of the profile',
    async (c) => {
      requireAlgorithm(c, 'signature', 'EdDSA')
      const { hosted } = c.newPlatform()
      const key = new KeyPair('EdDSA')
      hosted.document.keys = [key.published]
      expectAccepted(await probe(c.callerFor({ profile: hosted.profile, key }, 'signature')))
    },
    only,
  ),
  signatureCheck(
    'SIG-038',
    'A valid signature is accepted together with a signature by a foreign key, in any order',
    async (c) => {
      const { caller, hosted } = c.sharedPlatform
      const own = { by: signatureKeyOf(hosted), label: 'own' }
      const foreign = { by: c.newKey('signature'), label: 'foreign' }
      for (const signatures of [
        [own, foreign],
        [foreign, own],
      ])
        expectAccepted(await probeWrite(caller, { authentication: 'none', change: signedBy(...signatures) }))
    },
    only,
  ),
  signatureCheck(
    'SIG-039',
    'Two invalid signatures together do not authenticate the caller',
    async (c) => {
      const { caller, hosted } = c.sharedPlatform
      const key = signatureKeyOf(hosted)
      const incomplete = { by: key, label: 'incomplete', without: ['@path'] }
      const forged = { by: c.newKey('signature'), label: 'forged', keyid: key.thumbprint }
      for (const signatures of [
        [incomplete, forged],
        [forged, incomplete],
      ]) {
        const answer = await probeWrite(caller, { authentication: 'none', change: signedBy(...signatures) })
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
    'The signature of its HTTP request authenticates a tool call',
    async ({ sharedPlatform: { caller } }) => {
      expectAccepted(await probe(caller, signed()))
      const options = signed({ without: ['@path'], also: [['@path', '/other']] })
      expectRefused(await probe(caller, options), 'signature_invalid')
    },
    mcp,
  ),
  signatureCheck(
    'SIG-044',
    'A tool call counts as unsigned if its signature does not cover Content-Digest',
    async ({ sharedPlatform: { caller } }) => {
      expectRefused(await probe(caller, signed({ without: ['content-digest'] })), 'signature_missing')
    },
    mcp,
  ),
]
