import { execFileSync } from 'node:child_process'
import { randomBytes, X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export interface Certified {
  certFile: string
  keyFile: string
  cert: string
  key: string
  der: Buffer
}

const folder = mkdtempSync(join(tmpdir(), 'usp-certificates-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Creates the folder again: the first file of a worker deletes it, and later files of the same worker need it. */
const openssl = (...args: string[]) => {
  mkdirSync(folder, { recursive: true })
  return execFileSync('openssl', args, { stdio: 'pipe' })
}
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

export const temporaryFile = (name: string) => join(folder, `${randomBytes(4).toString('hex')}-${name}`)

/** A self-signed certificate: of an authority, or of a client that no authority certified. */
export function selfSigned(name: string): Certified {
  const [certFile, keyFile] = [temporaryFile('cert.pem'), temporaryFile('key.pem')]
  openssl('req', '-x509', ...newKey, '-keyout', keyFile, '-out', certFile, '-days', '2', '-subj', `/CN=${name}`)
  return certified(certFile, keyFile)
}

interface Wish {
  days?: number
  /** The subject alternative names. */
  others?: string
  /** The key to renew a certificate with; default a new key. */
  keyFile?: string
}

/** An empty name leaves the subject empty. */
export function issuedBy(
  issuer: Certified,
  name: string,
  usage: 'serverAuth' | 'clientAuth',
  { days = 2, others = 'IP:127.0.0.1,DNS:localhost', keyFile: kept }: Wish = {},
): Certified {
  const [certFile, request] = [temporaryFile('cert.pem'), temporaryFile('csr.pem')]
  const keyFile = kept ?? temporaryFile('key.pem')
  const extensions = temporaryFile('extensions')
  writeFileSync(extensions, `${others && `subjectAltName=${others}\n`}extendedKeyUsage=${usage}\n`)
  const key = kept ? ['-key', kept] : [...newKey, '-keyout', keyFile]
  openssl('req', '-new', ...key, '-out', request, '-subj', name ? `/CN=${name}` : '/')
  const by = ['-CA', issuer.certFile, '-CAkey', issuer.keyFile, '-set_serial', `0x${randomBytes(8).toString('hex')}`]
  openssl('x509', '-req', '-in', request, ...by, '-days', String(days), '-extfile', extensions, '-out', certFile)
  return certified(certFile, keyFile)
}

/** A valid certificate except for its end, which was yesterday. */
export const expired = (issuer: Certified, name: string, usage: 'serverAuth' | 'clientAuth') =>
  issuedBy(issuer, name, usage, { days: -1 })

/** A revocation list of an authority, as a file. It expires after these days. */
export function revocations(issuer: Certified, revoked: Certified[], { days = 2 } = {}): string {
  const [file, index, settings] = [temporaryFile('crl.pem'), temporaryFile('index'), temporaryFile('settings')]
  const lines = revoked.map(({ cert }) => {
    const { serialNumber } = new X509Certificate(cert)
    return `R\t491231235959Z\t200101000000Z\t${serialNumber}\tunknown\t/CN=revoked\n`
  })
  writeFileSync(index, lines.join(''))
  writeFileSync(settings, `[ca]\ndefault_ca=own\n[own]\ndatabase=${index}\ndefault_md=sha256\n`)
  const by = ['-cert', issuer.certFile, '-keyfile', issuer.keyFile, '-config', settings]
  openssl('ca', '-gencrl', ...by, ...validity(days), '-out', file)
  return file
}

/** Without days, the list has expired already. */
const validity = (days: number) =>
  days > 0 ? ['-crldays', String(days)] : ['-crl_lastupdate', '20200101000000Z', '-crl_nextupdate', '20200102000000Z']

function certified(certFile: string, keyFile: string): Certified {
  const cert = readFileSync(certFile, 'utf8')
  return { certFile, keyFile, cert, key: readFileSync(keyFile, 'utf8'), der: new X509Certificate(cert).raw }
}
