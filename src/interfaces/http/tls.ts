import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerOptions } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { TlsFiles } from '../../infra/config/tls-files.ts'
import { PlainError } from '../../infra/util/plain-error.ts'
import { asRecord } from '../../infra/util/records.ts'

/** Authenticated encryption (AEAD) with forward secrecy. */
const cipherSuites = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE+AESGCM', 'ECDHE+CHACHA20'],
].join(':')

/** The TLS options of the server. It reads and checks each file, and an error names the setting of the faulty file. */
export function tlsOptions({ certFile, keyFile, clientCaFile, clientCrlFile }: TlsFiles): ServerOptions {
  const cert = read('TLS_CERT_FILE', certFile)
  const key = read('TLS_KEY_FILE', keyFile)
  const ca = clientCaFile === undefined ? undefined : read('TLS_CLIENT_CA_FILE', clientCaFile)
  const crl = clientCrlFile === undefined ? undefined : revocationLists(read('TLS_CLIENT_CRL_FILE', clientCrlFile))
  const certificate = parsedPem('TLS_CERT_FILE', 'no certificate', () => new X509Certificate(cert))
  const privateKey = parsedPem('TLS_KEY_FILE', 'no private key without a passphrase', () => createPrivateKey(key))
  if (ca) parsedPem('TLS_CLIENT_CA_FILE', 'no certificate', () => new X509Certificate(ca))
  if (!certificate.checkPrivateKey(privateKey))
    throw new PlainError('TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE.')
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ciphers: cipherSuites,
    handshakeTimeout: 10_000,
    // The server requests a client certificate but does not require it. The catalog is public, and callers can authenticate
    // in other ways.
    ...(ca && { ca, requestCert: true, rejectUnauthorized: false }),
    ...(crl && { crl }),
  }
}

/** Each authority has a separate list, concatenated in the file. Node needs them as separate entries. */
function revocationLists(file: Buffer): string[] {
  const crl = file.toString().match(/-----BEGIN X509 CRL-----[^-]+-----END X509 CRL-----/g) ?? []
  return parsedPem('TLS_CLIENT_CRL_FILE', 'no list of revoked certificates', () => {
    createSecureContext({ crl })
    if (crl.length === 0) throw new Error('There is none')
    return crl
  })
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new PlainError(`${setting}: ${file} cannot be read (${asRecord(error).code}).`)
  }
}

function parsedPem<T>(setting: string, fault: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new PlainError(`${setting} holds ${fault} in PEM form.`)
  }
}
