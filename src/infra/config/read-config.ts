import { PlainError, USP } from '../util/command-line-error.ts'
import { type Backups, backups } from './backup-settings.ts'
import { type MailServer, mailServer } from './mail-server.ts'
import { type MetricsAddress, metricsAddress } from './metrics-address.ts'
import { invalidSettings, splitList } from './setting-checks.ts'
import { integer, oneOf, readSettings, text } from './setting-readers.ts'
import { type StripeAccount, stripeAccount } from './stripe-account.ts'
import { type TlsFiles, tlsFiles } from './tls-files.ts'

export interface Config {
  mode: 'development' | 'production'
  host: string
  port: number
  baseUrl: string
  databaseUrl: string | undefined
  /**
   * The URL of PostgreSQL itself, without a connection pooler in between. The server uses this URL for migrations and
   * for notifications (LISTEN).
   */
  databaseDirectUrl: string | undefined
  /**
   * The URL of the standby databases (read-only copies). The standby databases answer reads if no change depends on the
   * result. Undefined if the primary database answers all reads.
   */
  databaseReadUrl: string | undefined
  databasePool: number
  dataDir: string
  /**
   * The folder with the programs of an older PostgreSQL version. The server needs these programs only to upgrade a
   * database that the older version created.
   */
  oldPostgres: string | undefined
  businessFile: string | undefined
  /** Whether the server creates invented bookings for the demo salon at its first start. */
  shouldMakeDemoData: boolean
  secretKey: string | undefined
  /**
   * The previous secret key of the server. Only the command `usp keys reseal` needs this key, to re-encrypt the stored
   * secrets.
   */
  formerSecretKey: string | undefined
  trustProxy: string[]
  /** The certificate and key files for TLS connections. Undefined if this server does not handle TLS itself. */
  tls: TlsFiles | undefined
  /** The URLs of the platform profiles that the server accepts. An empty list accepts all platforms. */
  profileAllowlist: string[]
  /**
   * The host names that MCP clients may use for this server, in addition to the host name in BASE_URL. In production,
   * an empty list allows all host names.
   */
  mcpHosts: string[]
  /**
   * The origins of web pages that may call the MCP tools, in addition to BASE_URL. In production, an empty list allows
   * all origins.
   */
  mcpOrigins: string[]
  /**
   * The DNS servers that resolve host names in URLs from callers. If the list is empty, the server uses the DNS servers
   * of the machine.
   */
  nameservers: string[]
  stripe: StripeAccount | undefined
  /** The origins of a fake Google and a fake Microsoft on this machine, for tests. */
  googleApiBase: string | undefined
  microsoftApiBase: string | undefined
  /**
   * The settings of the mail server. Undefined if the server sends no mails. A development server then shows its mails
   * on a web page.
   */
  mail: MailServer | undefined
  /**
   * The token that a monitoring program must send to read the metrics. Without a configured token, the server refuses
   * requests for metrics from other machines.
   */
  metricsToken: string | undefined
  /**
   * A separate IP address and port for the metrics. If undefined, the server offers the metrics at its usual host and
   * port.
   */
  metricsAddress: MetricsAddress | undefined
  backups: Backups | undefined
  /**
   * The passphrase that encrypts the server's secret key in backups. Without a passphrase, backups do not contain this
   * key.
   */
  backupPassphrase: string | undefined
  /**
   * How many seconds the server still answers calls while it shuts down. During this time, health checks get status
   * 503.
   */
  drainSeconds: number
  logLevel: string
}

const settings = {
  USP_MODE: oneOf(['development', 'production'], 'development'),
  HOST: text(/./s, '127.0.0.1'),
  PORT: integer(1, 65535, 8080),
  BASE_URL: text(),
  DATABASE_URL: text(/^postgres(ql)?:\/\/.+/),
  DATABASE_DIRECT_URL: text(/^postgres(ql)?:\/\/.+/),
  DATABASE_READ_URL: text(/^postgres(ql)?:\/\/.+/),
  DATABASE_POOL: integer(1, 500, 10),
  USP_DATA_DIR: text(/./s, '.data'),
  USP_OLD_POSTGRES: text(),
  USP_BUSINESS_FILE: text(),
  USP_DEMO_DATA: oneOf(['on', 'off']),
  USP_SECRET_KEY: text(/.{32}/su),
  USP_SECRET_KEY_OLD: text(/.{32}/su),
  USP_BACKUP_DIR: text(),
  USP_BACKUP_KEEP: integer(1, 1000, 14),
  USP_BACKUP_PASSPHRASE: text(/^.{16,1000}$/su),
  USP_PROFILE_ALLOWLIST: text(),
  USP_NAMESERVERS: text(),
  MCP_HOSTS: text(),
  MCP_ORIGINS: text(),
  TRUST_PROXY: text(),
  TLS_CERT_FILE: text(),
  TLS_KEY_FILE: text(),
  TLS_CLIENT_CA_FILE: text(),
  TLS_CLIENT_CRL_FILE: text(),
  STRIPE_SECRET_KEY: text(/^(sk|rk)_\S+$/),
  STRIPE_WEBHOOK_SECRET: text(/^whsec_\S+$/),
  STRIPE_NETWORK_ID: text(/^profile_\S+$/),
  STRIPE_ACCOUNT_ID: text(/^acct_\S+$/),
  STRIPE_API_BASE: text(/./s, 'https://api.stripe.com'),
  GOOGLE_API_BASE: text(),
  MICROSOFT_API_BASE: text(),
  SMTP_URL: text(),
  MAIL_FROM: text(/^.{3,300}$/su),
  METRICS_ADDRESS: text(),
  METRICS_TOKEN: text(/^[\x21-\x7e]{16,}$/),
  USP_DRAIN_SECONDS: integer(0, 5, 0),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
}

export const settingNames = Object.keys(settings)

const ENCODED = 'with special characters in the name and the password percent-encoded: %40 for @, %23 for #, %2F for /'

const hints: Record<string, string> = {
  USP_MODE: 'set it to development or production',
  PORT: 'set it to a number from 1 to 65535',
  BASE_URL: 'set it to the public origin without a path or a user name, such as https://book.example.com',
  DATABASE_URL: `set it to a connection string such as postgres://user:password@host:5432/name, ${ENCODED}`,
  DATABASE_DIRECT_URL: `set it to a connection string that bypasses the pooler, such as postgres://user:password@host:5432/name, ${ENCODED}`,
  DATABASE_READ_URL: `set it to a connection string of the standbys, such as postgres://user:password@two,three/name?target_session_attrs=read-only, ${ENCODED}`,
  DATABASE_POOL: 'set it to a number of connections from 1 to 500',
  USP_DEMO_DATA: 'set it to on or off',
  USP_SECRET_KEY: 'set it to at least 32 characters; `openssl rand -base64 48` makes a good one',
  USP_SECRET_KEY_OLD: `set it to the previous USP_SECRET_KEY, only for \`${USP} keys reseal\``,
  USP_BACKUP_KEEP: 'set it to a number of backups from 1 to 1000',
  USP_BACKUP_PASSPHRASE:
    'set it to at least 16 characters, and store it apart from the backups; `openssl rand -base64 24` makes a good one',
  USP_NAMESERVERS: 'set it to IP addresses, comma-separated, such as 9.9.9.9 or 127.0.0.1:5353',
  MCP_HOSTS: 'set it to host names without a port, comma-separated, such as book.example.com',
  MCP_ORIGINS: 'set it to origins without a path, comma-separated, such as https://assistant.example',
  TRUST_PROXY:
    'set it to the addresses of your proxies only, comma-separated, such as 10.0.0.5, 10.0.0.0/8 or uniquelocal',
  STRIPE_SECRET_KEY: 'set it to a secret or restricted key of your Stripe account, such as sk_live_…',
  STRIPE_WEBHOOK_SECRET: 'set it to the signing secret of the webhook endpoint, whsec_…',
  STRIPE_NETWORK_ID: 'set it to the profile id of your Stripe account, profile_…',
  STRIPE_ACCOUNT_ID: 'set it to the id of your Stripe account, acct_…',
  STRIPE_API_BASE:
    'set it to https://api.stripe.com, or to a test server on this machine such as http://127.0.0.1:12111',
  GOOGLE_API_BASE: 'set it to a fake Google on this machine, only for tests, such as https://127.0.0.1:9443',
  MICROSOFT_API_BASE: 'set it to a fake Microsoft on this machine, only for tests, such as https://127.0.0.1:9443',
  SMTP_URL: 'set it to your mail server, such as smtps://user:password@mail.example.com or smtp://mail.example.com:587',
  MAIL_FROM: 'set it to the sender of your mails, such as book@example.com or "Glamour Salon" <book@example.com>',
  METRICS_ADDRESS: 'set it to an IP address of this machine and a port, such as 127.0.0.1:9464 or [::1]:9464',
  METRICS_TOKEN: 'set it to at least 16 characters without spaces; `openssl rand -hex 24` makes a good one',
  USP_DRAIN_SECONDS: 'set it to a number of seconds from 0 to 5',
  LOG_LEVEL: 'set it to fatal, error, warn, info, debug, trace or silent',
}

/**
 * Reads the settings of the server from environment variables. Throws an error for unknown names and invalid values, so
 * that the operator notices typing errors.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  refuseUnknownNames(env)
  const { values, unusable } = readSettings(settings, env)
  const names = new Set([...unusable, ...invalidSettings(values)])
  if (names.size > 0)
    throw new PlainError(
      [...names].map((name) => `${name} is not usable: ${hints[name] ?? 'set it to a non-empty value'}.`).join('\n'),
    )
  const { USP_MODE: mode, HOST: host, PORT: port } = values
  const tls = tlsFiles(values)
  const config: Config = {
    mode,
    host,
    port,
    baseUrl: originOf(values.BASE_URL ?? `${tls ? 'https' : 'http'}://${reachableName(host)}:${port}`),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    databasePool: values.DATABASE_POOL,
    dataDir: values.USP_DATA_DIR,
    oldPostgres: values.USP_OLD_POSTGRES,
    businessFile: values.USP_BUSINESS_FILE,
    shouldMakeDemoData: shouldMakeDemoData(values),
    secretKey: values.USP_SECRET_KEY,
    formerSecretKey: values.USP_SECRET_KEY_OLD,
    trustProxy: splitList(values.TRUST_PROXY),
    tls,
    profileAllowlist: splitList(values.USP_PROFILE_ALLOWLIST),
    mcpHosts: splitList(values.MCP_HOSTS),
    mcpOrigins: splitList(values.MCP_ORIGINS),
    nameservers: splitList(values.USP_NAMESERVERS),
    stripe: stripeAccount(values, hints),
    googleApiBase: values.GOOGLE_API_BASE,
    microsoftApiBase: values.MICROSOFT_API_BASE,
    mail: mailServer(values, hints),
    metricsAddress: metricsAddress(values),
    metricsToken: values.METRICS_TOKEN,
    backups: backups(values),
    backupPassphrase: values.USP_BACKUP_PASSPHRASE,
    drainSeconds: values.USP_DRAIN_SECONDS,
    logLevel: values.LOG_LEVEL ?? (mode === 'production' ? 'info' : 'warn'),
  }
  if (mode === 'production') refuseUnsafeProduction(values)
  return config
}

/**
 * Whether to create demo data. By default, only a development server with its own embedded database gets demo data,
 * because another database can also contain data of other programs.
 */
const shouldMakeDemoData = ({ USP_MODE, USP_DEMO_DATA, DATABASE_URL }: Record<string, unknown>): boolean =>
  USP_MODE === 'development' && (USP_DEMO_DATA === undefined ? DATABASE_URL === undefined : USP_DEMO_DATA === 'on')

/**
 * Prefixes of the names of this server's settings. If an environment variable has such a prefix but an unknown name,
 * the server reports a typing error.
 */
const SETTING_PREFIXES = ['USP_', 'SMTP_']

const knownSettingsText = (names: string[]) =>
  names.length === 1 ? `Known is ${names[0]}: ${hints[names[0] ?? '']}.` : `Known are ${names.join(', ')}.`

function refuseUnknownNames(env: NodeJS.ProcessEnv) {
  for (const prefix of SETTING_PREFIXES) {
    const unknown = Object.keys(env).filter((name) => name.startsWith(prefix) && !(name in settings))
    const known = settingNames.filter((name) => name.startsWith(prefix))
    if (unknown.length > 0) throw new PlainError(`${unknown.join(', ')}: no such setting. ${knownSettingsText(known)}`)
  }
}

function refuseUnsafeProduction(values: Record<string, unknown>) {
  const missing = ['DATABASE_URL', 'BASE_URL', 'USP_SECRET_KEY'].filter((name) => values[name] === undefined)
  if (missing.length > 0)
    throw new PlainError(missing.map((name) => `${name} is required in production: ${hints[name]}.`).join('\n'))
  if (!originOf(String(values.BASE_URL)).startsWith('https://'))
    throw new PlainError(`BASE_URL must be https in production: ${hints.BASE_URL}.`)
}

/**
 * Returns the origin of a URL, in lower case and without the default port. Other code can then compare origins as text.
 */
const originOf = (address: string) => URL.parse(address)?.origin ?? address

const reachableName = (host: string) =>
  ['0.0.0.0', '::', '[::]'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
