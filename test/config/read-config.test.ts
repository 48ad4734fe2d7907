import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { PlainError } from '../../src/infra/util/command-line-error.ts'

/** What a person reads at the terminal when the settings are refused. */
function refusalOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof PlainError) return error.message
    throw error
  }
  throw new Error(`${JSON.stringify(env)} was accepted`)
}

test('without settings the server runs for development on loopback', () => {
  expect(readConfig({})).toEqual({
    mode: 'development',
    host: '127.0.0.1',
    port: 8080,
    baseUrl: 'http://127.0.0.1:8080',
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databasePool: 10,
    dataDir: '.data',
    oldPostgres: undefined,
    businessFile: undefined,
    shouldMakeDemoData: true,
    secretKey: undefined,
    trustProxy: [],
    tls: undefined,
    profileAllowlist: [],
    mcpHosts: [],
    mcpOrigins: [],
    nameservers: [],
    stripe: undefined,
    drainSeconds: 0,
    logLevel: 'warn',
  })
})

const production = {
  USP_MODE: 'production',
  BASE_URL: 'https://book.example',
  DATABASE_URL: 'postgres://usp:pw@database.example/usp',
  USP_SECRET_KEY: 'k'.repeat(32),
}

test('every setting is read', () => {
  const env = {
    ...production,
    HOST: '0.0.0.0',
    PORT: '3000',
    DATABASE_POOL: '25',
    DATABASE_DIRECT_URL: 'postgres://usp:pw@primary.example:5432/usp',
    DATABASE_READ_URL: 'postgres://usp:pw@one,two/usp?target_session_attrs=read-only',
    USP_DATA_DIR: '/var/lib/usp',
    USP_OLD_POSTGRES: '/usr/lib/postgresql/15',
    USP_BACKUP_DIR: '/var/backups/usp',
    USP_BACKUP_KEEP: '30',
    USP_BACKUP_PASSPHRASE: 'what only the owner knows',
    USP_BUSINESS_FILE: 'salon.yaml',
    TRUST_PROXY: '10.0.0.0/8, 127.0.0.1,uniquelocal',
    TLS_CERT_FILE: '/etc/usp/cert.pem',
    TLS_KEY_FILE: '/etc/usp/key.pem',
    TLS_CLIENT_CA_FILE: '/etc/usp/clients.pem',
    TLS_CLIENT_CRL_FILE: '/etc/usp/revoked.pem',
    USP_PROFILE_ALLOWLIST: 'https://agent.example/a.json, https://agent.example/b.json',
    MCP_HOSTS: 'book.example, tools.book.example',
    MCP_ORIGINS: 'https://assistant.example, https://other.example:8443',
    USP_NAMESERVERS: '9.9.9.9, 127.0.0.1:5353,[2620:fe::fe]:53',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    SMTP_URL: 'smtps://book:p%40ss%2F@mail.example:465',
    MAIL_FROM: '"Glamour Salon" <book@salon.example>',
    METRICS_TOKEN: 'a-token-of-some-length',
    METRICS_ADDRESS: '[::]:9464',
    USP_DRAIN_SECONDS: '3',
    LOG_LEVEL: 'debug',
  }
  expect(readConfig(env)).toEqual({
    mode: 'production',
    host: '0.0.0.0',
    port: 3000,
    baseUrl: 'https://book.example',
    databaseUrl: production.DATABASE_URL,
    databaseDirectUrl: 'postgres://usp:pw@primary.example:5432/usp',
    databaseReadUrl: 'postgres://usp:pw@one,two/usp?target_session_attrs=read-only',
    databasePool: 25,
    dataDir: '/var/lib/usp',
    oldPostgres: '/usr/lib/postgresql/15',
    businessFile: 'salon.yaml',
    shouldMakeDemoData: false,
    secretKey: production.USP_SECRET_KEY,
    trustProxy: ['10.0.0.0/8', '127.0.0.1', 'uniquelocal'],
    tls: {
      certFile: '/etc/usp/cert.pem',
      keyFile: '/etc/usp/key.pem',
      clientCaFile: '/etc/usp/clients.pem',
      clientCrlFile: '/etc/usp/revoked.pem',
    },
    profileAllowlist: ['https://agent.example/a.json', 'https://agent.example/b.json'],
    mcpHosts: ['book.example', 'tools.book.example'],
    mcpOrigins: ['https://assistant.example', 'https://other.example:8443'],
    nameservers: ['9.9.9.9', '127.0.0.1:5353', '[2620:fe::fe]:53'],
    stripe: { secretKey: 'sk_live_1', webhookSecret: 'whsec_1', apiBase: 'https://api.stripe.com' },
    mail: { url: 'smtps://book:p%40ss%2F@mail.example:465', from: '"Glamour Salon" <book@salon.example>' },
    metricsToken: 'a-token-of-some-length',
    metricsAddress: { host: '::', port: 9464 },
    backups: { folder: '/var/backups/usp', keep: 30 },
    backupPassphrase: 'what only the owner knows',
    drainSeconds: 3,
    logLevel: 'debug',
  })
})

test.each([
  ['of a development server', true, {}],
  ['of a development server with its own database', false, { DATABASE_URL: production.DATABASE_URL }],
  ['if asked for', true, { DATABASE_URL: production.DATABASE_URL, USP_DEMO_DATA: 'on' }],
  ['if switched off', false, { USP_DEMO_DATA: 'off' }],
  ['in production', false, { ...production, USP_DEMO_DATA: 'on' }],
])('[demo data] the demo salon %s gets demo data: %j', (_, expected, env) => {
  expect(readConfig(env).shouldMakeDemoData).toBe(expected)
})

test('with a certificate and its key the server is reached over https', () => {
  const files = { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' }
  expect(readConfig(files)).toMatchObject({
    baseUrl: 'https://127.0.0.1:8080',
    tls: { certFile: 'cert.pem', keyFile: 'key.pem', clientCaFile: undefined, clientCrlFile: undefined },
  })
  expect(readConfig({ ...files, BASE_URL: 'https://book.example' }).baseUrl).toBe('https://book.example')
})

test.each([
  [['TLS_KEY_FILE'], { TLS_CERT_FILE: 'cert.pem' }],
  [['TLS_CERT_FILE'], { TLS_KEY_FILE: 'key.pem' }],
  [['TLS_CERT_FILE', 'TLS_KEY_FILE'], { TLS_CLIENT_CA_FILE: 'clients.pem' }],
  [['TLS_KEY_FILE'], { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: '' }],
])('half of TLS is refused, naming %j', (missing, env) => {
  expect(refusalOf(env)).toBe(`${missing.join(' and ')} must be set too: TLS needs a certificate and its key.`)
})

test('a list of revoked certificates without an authority for clients is refused', () => {
  const env = { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem', TLS_CLIENT_CRL_FILE: 'revoked.pem' }
  expect(refusalOf(env)).toBe(
    'TLS_CLIENT_CA_FILE must be set too: its authorities issue the revocation lists in TLS_CLIENT_CRL_FILE.',
  )
})

test.each([
  ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_test_swordfish' }],
  ['STRIPE_SECRET_KEY', { STRIPE_WEBHOOK_SECRET: 'whsec_swordfish' }],
])('without %s the other half of Stripe is refused', (missing, env) => {
  const message = refusalOf(env)
  expect(message).toMatch(new RegExp(`^${missing} is missing: set it to `))
  expect(message).not.toContain('swordfish')
})

test.each([
  ['MAIL_FROM', { SMTP_URL: 'smtps://book:swordfish@mail.example' }],
  ['SMTP_URL', { MAIL_FROM: 'book@salon.example' }],
])('without %s the other half of mail is refused, in production as well', (missing, env) => {
  for (const rest of [{}, production]) {
    const message = refusalOf({ ...rest, ...env })
    expect(message).toMatch(new RegExp(`^${missing} is missing: set it to `))
    expect(message).not.toContain('swordfish')
  }
})

test.each(['book@salon.example', 'Salon <book@salon.example>', '"Salon, Paris" <book@salon.example>'])(
  'MAIL_FROM may be %s',
  (MAIL_FROM) => {
    expect(readConfig({ SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM }).mail?.from).toBe(MAIL_FROM)
  },
)

test.each(['http://127.0.0.1:12111', 'http://localhost:12111', 'https://[::1]:12111'])(
  'a stand-in for Stripe may listen at %s',
  (STRIPE_API_BASE) => {
    const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_API_BASE }
    expect(readConfig(env).stripe?.apiBase).toBe(STRIPE_API_BASE)
  },
)

test.each([
  ['GOOGLE_API_BASE', 'googleApiBase'],
  ['MICROSOFT_API_BASE', 'microsoftApiBase'],
] as const)('the stand-in of %s may listen on this machine', (name, member) => {
  expect(readConfig({})[member]).toBeUndefined()
  expect(readConfig({ [name]: 'https://127.0.0.1:9443' })[member]).toBe('https://127.0.0.1:9443')
})

test.each(['10.0.0.5', '10.0.0.0/8', 'fc00::/7', '::1', '::ffff:10.0.0.0/104', '2001:db8::/32', 'loopback,linklocal'])(
  'TRUST_PROXY may be %s',
  (TRUST_PROXY) => expect(readConfig({ TRUST_PROXY }).trustProxy).toEqual(TRUST_PROXY.split(',')),
)
test.each([
  ['https://Book.Example', 'https://book.example'],
  ['HTTPS://book.example:443', 'https://book.example'],
  ['http://127.0.0.1:80', 'http://127.0.0.1'],
  ['https://book.example:8443', 'https://book.example:8443'],
  ['https://B\u00dcCHER.example', 'https://xn--bcher-kva.example'],
  ['https://[2001:DB8:0::1]:443', 'https://[2001:db8::1]'],
])('[one origin has one form] BASE_URL %s is %s', (BASE_URL, baseUrl) => {
  expect(readConfig({ BASE_URL }).baseUrl).toBe(baseUrl)
  if (baseUrl.startsWith('https:')) expect(readConfig({ ...production, BASE_URL }).baseUrl).toBe(baseUrl)
})

test('[one origin has one form] so has the one that is made of HOST and PORT', () => {
  expect(readConfig({ PORT: '80' }).baseUrl).toBe('http://127.0.0.1')
  expect(readConfig({ HOST: 'LocalHost', PORT: '8081' }).baseUrl).toBe('http://localhost:8081')
})

test.each([
  'https://user:swordfish@book.example',
  'https://user@book.example',
  'https://:swordfish@book.example',
  'https://@book.example',
  'https://book.example\\path',
  'https://book.\texample',
])('[one origin has one form] BASE_URL %j is refused, and what is in it is not repeated', (BASE_URL) => {
  const message = refusalOf({ BASE_URL })
  expect(message).toBe(
    'BASE_URL is not usable: set it to the public origin without a path or a user name, such as https://book.example.com.',
  )
})

test('a setting left empty counts as not set', () => {
  const names = ['USP_MODE', 'HOST', 'PORT', 'BASE_URL', 'DATABASE_URL', 'USP_SECRET_KEY', 'TRUST_PROXY', 'LOG_LEVEL']
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
})

test('production logs more than development unless told otherwise', () => {
  expect([readConfig(production).logLevel, readConfig({}).logLevel]).toEqual(['info', 'warn'])
})

test.each(['0.0.0.0', '::'])('a server that listens on %s names an address that can be called', (host) => {
  expect(readConfig({ HOST: host, PORT: '3000' }).baseUrl).toBe('http://127.0.0.1:3000')
})

test('a server that listens on an IPv6 address names it as an address can be written', () => {
  expect(new URL(readConfig({ HOST: '::1', PORT: '3000' }).baseUrl).origin).toBe('http://[::1]:3000')
})

describe.each([
  ['USP_MODE', ['prod', 'Production', 'test'], 'development or production'],
  ['USP_NAMESERVERS', ['nameserver.example', '9.9.9.9,', '9.9.9.9:99999', '300.1.1.1', '[::1'], 'IP addresses'],
  ['MCP_HOSTS', ['https://book.example', 'book.example:443', 'Book.example', 'a.example,', 'a b'], 'without a port'],
  [
    'MCP_ORIGINS',
    ['book.example', 'https://a.example/', 'https://a.example/x', 'https://a.example:443', 'null'],
    'without a path',
  ],
  ['PORT', ['0', '65536', '-1', '80.5', 'http', 'true'], 'from 1 to 65535'],
  [
    'BASE_URL',
    [
      'book.example',
      'ftp://book.example',
      'https://',
      'https://book.example/',
      'https://book.example/usp',
      'https://book.example?x',
      'https://book example',
      'https://book.example:99999',
      'https://[book]',
    ],
    'such as https://book.example.com',
  ],
  [
    'DATABASE_URL',
    [
      'mysql://localhost/usp',
      'localhost:5432',
      'postgres://',
      'postgres://host:port/usp',
      'postgres://one.example,two.example:port/usp',
      'postgres://one.example/usp?target_session_attrs=primary-ish',
    ],
    'such as postgres://user:password@host:5432/name',
  ],
  ['DATABASE_POOL', ['0', '501', 'many', '1.5'], 'from 1 to 500'],
  ['USP_SECRET_KEY', ['short', 'k'.repeat(31)], 'at least 32 characters'],
  [
    'TRUST_PROXY',
    ['banana', 'true', '10.0.0.0/99', '10.0.0.0/8/8', '10.0.0.0/8/', '10.0.0.1,,', '300.0.0.1', '10.1', '0x0a000001'],
    'set it to',
  ],
  // Everybody, in one piece or in two.
  [
    'TRUST_PROXY',
    [
      '0.0.0.0/0',
      '::/0',
      '::ffff:0:0/96',
      '10.0.0.1,0.0.0.0/1',
      '128.0.0.0/1',
      '2000::/3',
      '::/8',
      '::/80',
      '::fff0:0:0/92',
    ],
    'only',
  ],
  ['STRIPE_SECRET_KEY', ['pk_live_1', 'sk_', 'sk_live 1'], 'sk_live_'],
  ['STRIPE_WEBHOOK_SECRET', ['sk_live_1', 'whsec_'], 'whsec_'],
  [
    'STRIPE_API_BASE',
    [
      'http://api.stripe.com',
      'https://api.stripe.com.example',
      'https://stripe.example',
      'http://10.0.0.1:8080',
      'http://127.0.0.1.example',
      'ftp://127.0.0.1',
      'https://api.stripe.com/v2',
      'api.stripe.com',
    ],
    'http://127.0.0.1:12111',
  ],
  [
    'GOOGLE_API_BASE',
    [
      'http://127.0.0.1:9443',
      'https://www.googleapis.com',
      'https://127.0.0.1:9443/',
      'https://127.0.0.1.example',
      'https://me@127.0.0.1',
      '127.0.0.1:9443',
    ],
    'https://127.0.0.1:9443',
  ],
  [
    'MICROSOFT_API_BASE',
    [
      'http://127.0.0.1:9443',
      'https://graph.microsoft.com',
      'https://127.0.0.1:9443/',
      'https://127.0.0.1.example',
      'https://me@127.0.0.1',
      '127.0.0.1:9443',
    ],
    'https://127.0.0.1:9443',
  ],
  [
    'SMTP_URL',
    [
      'mail.example',
      'https://mail.example',
      'smtp://',
      'smtp://mail.example/x',
      'smtp://mail.example?tls=no',
      'smtp://a:%zz@h',
    ],
    'smtps://user:password@mail.example.com',
  ],
  [
    'MAIL_FROM',
    [
      'Salon',
      'a@b.example, c@d.example',
      'a@b.example\r\nBcc: c@d.example',
      'Salon, Paris <a@b.example>',
      '<a@b.example',
    ],
    'book@example.com',
  ],
  [
    'METRICS_ADDRESS',
    ['9464', ':9464', 'localhost:9464', '127.0.0.1', '127.0.0.1:0', '::1:9464', '127.0.0.1:70000'],
    '[::1]:9464',
  ],
  ['METRICS_TOKEN', ['short', 'fifteen-letters', 'with a space in the midst'], 'at least 16 characters'],
  ['LOG_LEVEL', ['verbose', 'INFO', '30'], 'fatal, error, warn, info, debug, trace or silent'],
])('%s', (name, values, advice) => {
  test.each(values)('as "%s" is refused by name, with what to set instead', (value) => {
    const lines = refusalOf({ [name]: value }).split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^${name} is not usable: set it to `))
    expect(lines[0]).toContain(advice)
  })
})

test('metrics that other machines reach are refused without a token', () => {
  const message = 'METRICS_ADDRESS 10.0.0.1:9464 can be reached from other machines: set METRICS_TOKEN too.'
  expect(refusalOf({ METRICS_ADDRESS: '10.0.0.1:9464' })).toBe(message)
  expect(readConfig({ METRICS_ADDRESS: '127.0.0.1:9464' }).metricsAddress).toEqual({ host: '127.0.0.1', port: 9464 })
})

test('a refused secret is not repeated', () => {
  expect(refusalOf({ USP_SECRET_KEY: 'swordfish' })).not.toContain('swordfish')
  expect(refusalOf({ DATABASE_URL: 'mysql://usp:swordfish@host/usp' })).not.toContain('swordfish')
})

test('all wrong settings are named at once', () => {
  const message = refusalOf({ PORT: 'x', LOG_LEVEL: 'x', DATABASE_POOL: 'x' })
  expect(
    message
      .split('\n')
      .map((line) => line.split(' ')[0])
      .sort(),
  ).toEqual(['DATABASE_POOL', 'LOG_LEVEL', 'PORT'])
})

test.each(['USP_SECRETKEY', 'USP_', 'USP_mode', 'USP_PORT'])('the unknown setting %s is refused by name', (name) => {
  const message = refusalOf({ [name]: 'x' })
  expect(message).toMatch(new RegExp(`^${name}: no such setting\\.`))
  expect(message).toContain('USP_SECRET_KEY')
})

test.each(['SMTP_HOST', 'SMTP_USER', 'SMTP_PASSWORD', 'SMTP_FROM'])(
  'the unknown setting %s is refused by name, with the one that there is',
  (name) => {
    expect(refusalOf({ ...production, [name]: 'swordfish' })).toMatch(
      new RegExp(`^${name}: no such setting\\. Known is SMTP_URL: set it to your mail server`),
    )
  },
)

test.each(['oyster@#fish', 'oyster/fish', 'oyster#fish', 'oyster?fish', '#oysterfish'])(
  'a password %s that is not percent-encoded is refused, and nothing of it is repeated',
  (password) => {
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL']) {
      const message = refusalOf({ ...production, [name]: `postgres://usp:${password}@db.example:5432/usp` })
      expect(message).toContain(`${name} is not usable`)
      expect(message).toContain('percent-encoded: %40 for @, %23 for #')
      expect(message).not.toMatch(/oyster|fish/)
    }
  },
)

test("other programs' settings are left alone", () => {
  expect(readConfig({ PATH: '/bin', HOME: '/root', NODE_ENV: 'production' })).toEqual(readConfig({}))
})

test.each([
  ['is missing', undefined],
  ['is not https', 'http://book.example'],
  ['is a loopback address in plaintext', 'http://127.0.0.1:8080'],
])('[TLS-009] production does not start when BASE_URL %s, and says so', (_, BASE_URL) => {
  const message = refusalOf({ ...production, BASE_URL })
  expect(message).toMatch(/^BASE_URL .*production.*set it to/)
  expect(message).toContain('https://')
})

test.each(['DATABASE_URL', 'USP_SECRET_KEY'])('production does not start without %s, and says so', (name) => {
  expect(refusalOf({ ...production, [name]: undefined })).toMatch(new RegExp(`^${name} is required in production: set`))
})

test('[TLS-009] production names everything it lacks at once', () => {
  const lines = refusalOf({ USP_MODE: 'production' }).split('\n')
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['DATABASE_URL', 'BASE_URL', 'USP_SECRET_KEY'])
})
