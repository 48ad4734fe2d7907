import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PlainError } from '../../src/infra/util/command-line-error.ts'
import { tlsOptions } from '../../src/interfaces/http/tls.ts'
import { revocations, selfSigned, temporaryFile } from '../support/certificates.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort, usp } from '../support/process.ts'

const one = selfSigned('one')
const other = selfSigned('other')
const none = temporaryFile('none.pem')
const nonsense = temporaryFile('nonsense.pem')
writeFileSync(nonsense, 'this is no PEM')
const locked = temporaryFile('locked.pem')
execFileSync('openssl', ['ec', '-in', one.keyFile, '-aes256', '-passout', 'pass:x', '-out', locked], { stdio: 'pipe' })

const ofClients = { clientCaFile: one.certFile }
const empty = temporaryFile('empty.pem')
writeFileSync(empty, '')
const half = temporaryFile('half.pem')
writeFileSync(half, readFileSync(revocations(one, []), 'utf8').replace(/.{40}\n/, '\n'))

const refusalOf = (files: Parameters<typeof tlsOptions>[0]): string => {
  try {
    tlsOptions(files)
  } catch (error) {
    if (error instanceof PlainError) return error.message
    throw error
  }
  throw new Error('accepted')
}

test.each([
  ['TLS_CERT_FILE', 'is missing', { certFile: none }, `${none} cannot be read (ENOENT)`],
  ['TLS_KEY_FILE', 'is missing', { keyFile: none }, `${none} cannot be read (ENOENT)`],
  ['TLS_CLIENT_CA_FILE', 'is missing', { clientCaFile: none }, `${none} cannot be read (ENOENT)`],
  ['TLS_CERT_FILE', 'is a folder', { certFile: '/' }, '/ cannot be read (EISDIR)'],
  ['TLS_CERT_FILE', 'is no certificate', { certFile: nonsense }, 'no certificate in PEM form'],
  ['TLS_KEY_FILE', 'is no key', { keyFile: nonsense }, 'no private key'],
  ['TLS_KEY_FILE', 'is a certificate', { keyFile: one.certFile }, 'no private key'],
  ['TLS_KEY_FILE', 'is locked', { keyFile: locked }, 'without a passphrase'],
  ['TLS_KEY_FILE', 'belongs to another certificate', { keyFile: other.keyFile }, 'not the key of the certificate'],
  ['TLS_CLIENT_CA_FILE', 'is no certificate', { clientCaFile: nonsense }, 'no certificate in PEM form'],
  ['TLS_CLIENT_CRL_FILE', 'is missing', { ...ofClients, clientCrlFile: none }, `${none} cannot be read (ENOENT)`],
  ['TLS_CLIENT_CRL_FILE', 'is no list', { ...ofClients, clientCrlFile: nonsense }, 'no list of revoked certificates'],
  ['TLS_CLIENT_CRL_FILE', 'is empty', { ...ofClients, clientCrlFile: empty }, 'no list of revoked certificates'],
  ['TLS_CLIENT_CRL_FILE', 'is half a list', { ...ofClients, clientCrlFile: half }, 'no list of revoked certificates'],
  ['TLS_CLIENT_CRL_FILE', 'is a certificate', { ...ofClients, clientCrlFile: one.certFile }, 'no list of revoked'],
])('a %s that %s is told by name in one line', (name, _, wrong, text) => {
  const right = { certFile: one.certFile, keyFile: one.keyFile, clientCaFile: undefined, clientCrlFile: undefined }
  const message = refusalOf({ ...right, ...wrong })
  expect(message).toMatch(new RegExp(`^${name}\\b`))
  expect(message).toContain(text)
  expect(message).not.toContain('\n')
})

test('a start with such a file ends with that line and nothing else', async () => {
  const files = { TLS_CERT_FILE: one.certFile, TLS_KEY_FILE: other.keyFile }
  const started = usp(['serve'], { ...files, PORT: String(await freePort()), DATABASE_URL: await freshDatabase() })
  expect(await started.ended).toBe(1)
  expect(started.output().trim()).toBe('TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE.')
})
