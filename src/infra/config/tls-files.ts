import { PlainError } from '../util/command-line-error.ts'

/** The paths of the PEM files (certificates and keys) for TLS connections to this server. */
export interface TlsFiles {
  certFile: string
  keyFile: string
  /** The file with the certificate authorities that may sign the client certificates of callers. */
  clientCaFile: string | undefined
  clientCrlFile: string | undefined
}

/**
 * Reads the TLS settings. If the operator sets only a part of the required settings, the server refuses to start,
 * because the operator expects TLS.
 */
export function tlsFiles(settings: Record<string, unknown>): TlsFiles | undefined {
  const {
    TLS_CERT_FILE: cert,
    TLS_KEY_FILE: key,
    TLS_CLIENT_CA_FILE: clientCa,
    TLS_CLIENT_CRL_FILE: revoked,
  } = settings
  if ([cert, key, clientCa, revoked].every((file) => file === undefined)) return undefined
  const missing = ['TLS_CERT_FILE', 'TLS_KEY_FILE'].filter((name) => settings[name] === undefined)
  if (missing.length > 0)
    throw new PlainError(`${missing.join(' and ')} must be set too: TLS needs a certificate and its key.`)
  if (revoked !== undefined && clientCa === undefined)
    throw new PlainError(
      'TLS_CLIENT_CA_FILE must be set too: its authorities issue the revocation lists in TLS_CLIENT_CRL_FILE.',
    )
  return {
    certFile: String(cert),
    keyFile: String(key),
    clientCaFile: clientCa === undefined ? undefined : String(clientCa),
    clientCrlFile: revoked === undefined ? undefined : String(revoked),
  }
}
