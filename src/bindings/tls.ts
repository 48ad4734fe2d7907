import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server, ServerOptions } from 'node:https'
import type { TlsFiles } from '../config.ts'
import { PlainError } from '../plain-error.ts'
import type { Runtime } from '../runtime.ts'

/** Milliseconds between two looks at the files. */
const MINUTE = 60_000

/** What the server speaks TLS with, read and judged so that a wrong file is told by the name of its setting. */
export function tlsOptions({ certFile, keyFile, clientCaFile }: TlsFiles): ServerOptions {
  const cert = read('TLS_CERT_FILE', certFile)
  const key = read('TLS_KEY_FILE', keyFile)
  const ca = clientCaFile === undefined ? undefined : read('TLS_CLIENT_CA_FILE', clientCaFile)
  const certificate = usable('TLS_CERT_FILE', 'no certificate', () => new X509Certificate(cert))
  const privateKey = usable('TLS_KEY_FILE', 'no private key without a passphrase', () => createPrivateKey(key))
  if (ca) usable('TLS_CLIENT_CA_FILE', 'no certificate', () => new X509Certificate(ca))
  if (!certificate.checkPrivateKey(privateKey))
    throw new PlainError('TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE.')
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    handshakeTimeout: 10_000,
    // Asked for, never demanded: the catalogue is for everyone, and there are other ways to prove who calls.
    ...(ca && { ca, requestCert: true, rejectUnauthorized: false }),
  }
}

/**
 * Takes up renewed certificates while the server runs. The files are read again each minute, not watched: watching
 * misses what is swapped behind a symbolic link or on a mounted volume, and a certificate and its key are replaced one
 * after the other. What does not fit together (yet) leaves the old one in use until the next look.
 */
export function keepRenewed(server: Server, files: TlsFiles, inUse: ServerOptions, log: Runtime['log']) {
  let current = contents(inUse)
  const renew = () => {
    try {
      const options = tlsOptions(files)
      if (contents(options) === current) return
      server.setSecureContext(options)
      current = contents(options)
      log.info('TLS certificate renewed')
    } catch (error) {
      log.error({ err: error }, 'the TLS files cannot be used; what was read before stays in use')
    }
  }
  server.once('listening', () => {
    const timer = setInterval(renew, MINUTE).unref()
    server.once('close', () => clearInterval(timer))
  })
}

const contents = ({ cert, key, ca }: ServerOptions) => [cert, key, ca].join('\n')

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new PlainError(`${setting}: ${file} cannot be read (${Object(error).code}).`)
  }
}

function usable<T>(setting: string, fault: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new PlainError(`${setting} holds ${fault} in PEM form.`)
  }
}
