import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { DATA_FOLDER } from '../../data-folder.ts'
import { expectTrue } from '../../run/expectations.ts'
import { type CheckOptions, check } from '../check.ts'
import { requireMechanism } from './mechanism-check.ts'
import { expectAccepted, expectRefused, probe, UNKNOWN_BOOKING } from './probe.ts'
import { httpsEndpoint } from './transport.ts'

const rest: CheckOptions = { only: 'rest', needs: ['services.bookings'] }
const file = (name: string) => readFileSync(new URL(name, DATA_FOLDER), 'utf8')
/** The suite's own certificate. No certificate authority that a business trusts has issued it. */
const certificateFile = () => file('loopback-cert.pem')
const der = (certificate: string) => certificate.replace(/-----[A-Z ]+-----|\s/g, '')

export const clientCertificateChecks = [
  check(
    'AUT-089',
    'A client certificate by an unknown authority does not authenticate the caller',
    async (c) => {
      requireMechanism(c, 'mtls')
      const endpoint = httpsEndpoint(c.target)
      const { profile } = c.sharedPlatform.hosted
      const status = await statusWithCertificate(`${endpoint}/bookings/${UNKNOWN_BOOKING}`, profile)
      expectTrue(status === undefined || status === 401, 'a refused handshake or HTTP 401', `HTTP ${status}`)
    },
    rest,
  ),
  check(
    'AUT-090',
    'The server also answers callers without a client certificate',
    async (c) => {
      requireMechanism(c, 'mtls')
      ;(await c.anonymous.call('listServices')).success()
      expectAccepted(await probe(c.sharedPlatform.caller))
    },
    rest,
  ),
  check(
    'AUT-091',
    'A client certificate in a header from an untrusted sender does not authenticate the caller',
    async (c) => {
      requireMechanism(c, 'mtls')
      const certificate = certificateFile()
      const headers = {
        'client-cert': `:${der(certificate)}:`,
        'x-forwarded-client-cert': `Cert="${encodeURIComponent(certificate)}"`,
        'x-ssl-client-cert': encodeURIComponent(certificate),
        'x-ssl-client-verify': 'SUCCESS',
      }
      const answer = await probe(c.sharedPlatform.caller, { authentication: 'none', headers })
      expectRefused(answer, 'authentication_required')
    },
    rest,
  ),
]

/**
 * Calls the server with a client certificate. Returns the HTTP status, or undefined if the server refused the TLS
 * handshake.
 */
function statusWithCertificate(url: string, profile: string): Promise<number | undefined> {
  const headers = { 'usp-agent': `profile="${profile}"` }
  const options = { headers, cert: certificateFile(), key: file('loopback-key.pem'), rejectUnauthorized: false }
  return new Promise((resolve) => {
    const sent = request(url, options, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.once('error', () => resolve(undefined)).end()
  })
}
