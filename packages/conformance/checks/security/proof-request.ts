import { requestProof } from '../../caller/possession-proof.ts'
import { proofCheck } from './mechanism-check.ts'
import { expectAccepted, expectRefused, probe, UNKNOWN_BOOKING } from './probe.ts'

const rest = { only: 'rest' } as const

export const proofRequestChecks = [
  proofCheck(
    'POP-019',
    'The server compares the address of a proof without query, fragment and case of the host',
    async ({ target, sharedPlatform: { caller } }) => {
      const htu = addressOfProbe(target.endpoint('rest'))
      const { host } = new URL(htu)
      for (const same of [`${htu}?a=b`, `${htu}#here`, htu.replace(host, host.toUpperCase())])
        expectAccepted(await probe(caller, { proof: { claims: { htu: same } } }))
    },
    rest,
  ),
  proofCheck(
    'POP-059',
    'The server refuses a proof for another path, host or scheme',
    async ({ target, sharedPlatform: { caller } }) => {
      const htu = addressOfProbe(target.endpoint('rest'))
      const { host, protocol } = new URL(htu)
      const others = [
        htu.replace(/\/[^/]*$/, '/another'),
        htu.replace(host, 'other.example'),
        htu.replace(protocol, protocol === 'https:' ? 'http:' : 'https:'),
        `/bookings/${UNKNOWN_BOOKING}`,
      ]
      for (const other of others)
        expectRefused(await probe(caller, { proof: { claims: { htu: other } } }), 'pop_proof_invalid')
    },
    rest,
  ),
  proofCheck(
    'POP-020',
    'The server refuses a request with two proofs',
    async ({ target, sharedPlatform: { caller, hosted } }) => {
      const second = requestProof(hosted.key, 'GET', addressOfProbe(target.endpoint('rest')), {})
      const answer = await probe(caller, {
        // HTTP joins two headers with the same name in this way.
        change: (request) => ({
          ...request,
          headers: { ...request.headers, dpop: `${request.headers.dpop}, ${second}` },
        }),
      })
      expectRefused(answer, 'pop_proof_invalid')
    },
    rest,
  ),
]

const addressOfProbe = (endpoint: string): string => `${endpoint}/bookings/${UNKNOWN_BOOKING}`
