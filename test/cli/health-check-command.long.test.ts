import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { settingNames } from '../../src/infra/config/read-config.ts'
import { issuedBy, selfSigned } from '../support/certificates.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** What the image asks. */
const [, json = '[]'] = /^HEALTHCHECK [^[]*CMD (\[[^\]]*\])/m.exec(text('Dockerfile')) ?? []
const [program = '', ...script]: string[] = JSON.parse(json)

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A folder with the program `usp`, which the image has. Here it runs the sources. */
const programs = mkdtempSync(join(tmpdir(), 'usp-health-check-'))
symlinkSync(join(root, 'src/main.ts'), join(programs, 'usp'))
afterAll(() => rmSync(programs, { recursive: true }))

/** The exit code, with the Node of these tests as that of the image. */
async function check(env: NodeJS.ProcessEnv) {
  const PATH = [programs, join(root, 'node_modules/.bin'), process.env.PATH].join(':')
  const child = spawn(program, script, { cwd: root, env: { PATH, ...env } })
  const [code] = await once(child, 'exit')
  return code
}

const authority = selfSigned('Authority')
const own = issuedBy(authority, 'book.example', 'serverAuth', { others: 'DNS:book.example' })
const tls = { TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: own.keyFile, TLS_CLIENT_CA_FILE: authority.certFile }

test.each([
  ['in plaintext', {}],
  ['under TLS, on every address', { HOST: '0.0.0.0', ...tls }],
])('[the health check of the image works] %s', async (_, more) => {
  const env = { ...more, PORT: String(await freePort()), DATABASE_URL: await freshDatabase(), LOG_LEVEL: 'info' }
  const before = usp(['health'], env)
  expect(await before.ended).toBe(1)
  expect(before.output().trim()).toBe(`The server does not answer on port ${env.PORT}: ECONNREFUSED.`)
  expect(await check(env)).not.toBe(0)
  const serving = usp(['serve'], env)
  await waitForOutput(serving, 'Server listening')
  const [first = ''] = serving.output().split('\n')
  expect(JSON.parse(first)).toMatchObject({ version: manifest.version, msg: 'The server starts.' })
  const asked = usp(['health'], env)
  expect([await asked.ended, asked.output()]).toEqual([0, ''])
  expect(await check(env)).toBe(0)
  serving.process.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  expect(await check(env)).not.toBe(0)
})

test('[the health check of the image works] what answers something else is not well', async () => {
  const other = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const asked = usp(['health'], { PORT: String(port) })
  expect(await asked.ended).toBe(1)
  expect(asked.output().trim()).toBe(`The server answers 503 on port ${port}.`)
  expect(await check({ PORT: String(port) })).not.toBe(0)
  other.close()
})

test('Compose hands on every setting, or says itself what it is in the image', () => {
  const { environment, env_file } = parse(text('docker-compose.yml')).services.server
  const ofImage = [...text('Dockerfile').matchAll(/\b(USP_MODE|HOST|PORT)=/g)].map(([, name]) => name)
  const ofDevelopment = [
    'USP_DATA_DIR',
    'USP_DEMO_DATA',
    'USP_OLD_POSTGRES',
    'STRIPE_API_BASE',
    'GOOGLE_API_BASE',
    'MICROSOFT_API_BASE',
  ]
  // Of one command alone: while it is in .env it is handed on with all that stands there, as OTEL_… is.
  const ofReseal = 'USP_SECRET_KEY_OLD'
  expect(env_file).toEqual([{ path: '.env', required: false }])
  expect([...Object.keys(environment), ...ofImage, ...ofDevelopment, ofReseal].sort()).toEqual([...settingNames].sort())
  const asked = Object.entries(environment).filter(([name]) => !['DATABASE_URL', 'USP_BUSINESS_FILE'].includes(name))
  for (const [name, value] of asked) {
    expect(value).toMatch(new RegExp(`^\\$\\{${name}[:?-]`))
    expect(text('.env.example')).toMatch(new RegExp(`^#?${name}=`, 'm'))
  }
})

test('Compose reads all that .env.example has', () => {
  const names = [...text('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name)
  const read = [...text('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  expect(names.filter((name) => name.startsWith('OTEL_'))).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
  expect(names.filter((name) => !name.startsWith('OTEL_')).sort()).toEqual([...new Set(read)].sort())
})
