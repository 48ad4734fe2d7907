import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { DATA_FOLDER } from '../../data-folder.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { type CheckOptions, check } from '../check.ts'
import { requireMechanism } from './mechanism-check.ts'
import { expectRefused, probe } from './probe.ts'

const rest: CheckOptions = { only: 'rest', needs: ['services.bookings'] }
/** A certificate that is issued by itself, not by an authority that a business configures. */
const file = (name: string) => readFileSync(new URL(name, DATA_FOLDER), 'utf8')
const der = (certificate: string) => certificate.replace(/-----[A-Z ]+-----|\s/g, '')

export const clientCertificateChecks = [
  check(
    'AUT-089',
    'A client certificate of an unknown authority authenticates nobody',
    async (c) => {
      requireMechanism(c, 'mtls')
      const endpoint = c.target.endpoint('rest')
      if (!endpoint.startsWith('https:')) throw new Skip('The server is not reached over https.')
      const { profile } = c.sharedPlatform.hosted
      const status = await statusWithCertificate(`${endpoint}/bookings/bkg_conformance_unknown`, profile)
      expectTrue(status === undefined || status === 401, 'a refused handshake or HTTP 401', `HTTP ${status}`)
    },
    rest,
  ),
  check(
    'AUT-090',
    'Callers without a client certificate are served',
    async (c) => {
      requireMechanism(c, 'mtls')
      ;(await c.anonymous.call('listServices')).success()
      const { error } = await probe(c.sharedPlatform.caller)
      expectEqual(error?.code, 'booking_not_found', 'the code of the answer to a proven call')
    },
    rest,
  ),
  check(
    'AUT-091',
    'A client certificate in a header of an untrusted peer authenticates nobody',
    async (c) => {
      requireMechanism(c, 'mtls')
      const certificate = file('loopback-cert.pem')
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

/** The HTTP status of a call with a client certificate, or undefined if the server refused the handshake. */
function statusWithCertificate(url: string, profile: string): Promise<number | undefined> {
  const headers = { 'usp-agent': `profile="${profile}"` }
  const options = { headers, cert: file('loopback-cert.pem'), key: file('loopback-key.pem'), rejectUnauthorized: false }
  return new Promise((resolve) => {
    const sent = request(url, options, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.once('error', () => resolve(undefined)).end()
  })
}
