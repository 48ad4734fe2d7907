import { AsyncLocalStorage } from 'node:async_hooks'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server, ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext, type TLSSocket } from 'node:tls'
import type { TlsFiles } from '../../infra/config/tls-files.ts'
import { EncryptedBytes, skipEmptyWrites } from '../../infra/net/limit-tls-handshake-bytes.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { asRecord } from '../../infra/util/object-members.ts'

/** The allowed cipher suites for TLS: only suites with authenticated encryption (AEAD) and forward secrecy. */
const cipherSuites = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE+AESGCM', 'ECDHE+CHACHA20'],
].join(':')

/**
 * Reads and checks the TLS files, and returns the TLS options of the server. If a file is wrong, the error contains the
 * name of the setting for this file.
 */
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
    // The server requests a client certificate, but also accepts clients without a certificate. The catalog is public,
    // and callers can authenticate in other ways.
    ...(ca && { ca, requestCert: true, rejectUnauthorized: false }),
    ...(crl && { crl }),
  }
}

/**
 * Splits a file into certificate revocation lists. The file contains one list for each authority, but Node needs each
 * list as a separate entry.
 */
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

const connection = new AsyncLocalStorage<{ socket: Socket; bytes: EncryptedBytes }>()

/**
 * Limits the work of OpenSSL for one TLS connection, because Node has no such limit. Without a limit, OpenSSL verified
 * seventy untrusted certificates, or handled twenty thousand key changes, in one turn of the event loop.
 * `EncryptedBytes` limits the size of the handshake, and passes the bytes to OpenSSL in portions.
 */
export function boundTls(server: Server) {
  const [handshake, ...others] = server.listeners('connection')
  if (!handshake || others.length > 0)
    throw new Error('More than one listener handles new connections, so the server cannot limit their handshakes')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const bytes = new EncryptedBytes(socket)
    connection.run({ socket, bytes }, () => handshake.call(server, bytes))
  })
  // This listener must run before all others, because it sets the IP addresses of the connection, which the other
  // listeners read.
  server.prependListener('secureConnection', (secure) => {
    const begun = connection.getStore()
    if (!begun) return void secure.destroy()
    begun.bytes.endHandshake()
    skipEmptyWrites(secure)
    copyAddresses(secure, begun.socket)
  })
}

/**
 * Copies the IP addresses and ports of the TCP socket to the TLS socket. The TLS socket does not know them, because it
 * reads from a stream and not directly from the TCP socket.
 */
function copyAddresses(
  secure: TLSSocket,
  { remoteAddress, remotePort, remoteFamily, localAddress, localPort }: Socket,
) {
  const ends = { remoteAddress, remotePort, remoteFamily, localAddress, localPort }
  for (const [name, value] of Object.entries(ends)) Object.defineProperty(secure, name, { value })
}
