import { expect, test } from 'vitest'
import { costs, slowOf } from './measure.ts'
import { calls, imports } from './source.ts'

/** What takes text apart, of the language and of packages. */
const PARSERS = [
  /^(JSON\.parse|new URL|URL\.(parse|canParse)|new URLSearchParams|decodeURI(Component)?|Date\.parse)$/,
  /^(parseDictionary|parseItem|parseDocument|jwtVerify|createLocalJWKSet|createPublicKey|new X509Certificate)$/,
  /^(readJson|parseJson|new RRuleTemporal|ipaddr\.\w+)$|\.(normalize|segment|constructEvent)$/,
]

/** Which files call one, and what puts that to the test. */
const coverage = {
  /** `requests.ts`: reached by a request of any stranger. */
  requests: [
    ...[
      'availability/query-range.ts',
      'availability/zone.ts',
      'bindings/caller-address.ts',
      'bindings/mcp-http.ts',
      'bindings/mcp-message.ts',
    ],
    ...[
      'bindings/peer.ts',
      'bindings/rest.ts',
      'bindings/strange-pages.ts',
      'bindings/unroutable.ts',
      'bookings/check-request.ts',
    ],
    ...['catalog/get-service-feed.ts', 'oauth/passwords.ts', 'pages/form.ts', 'pages/link-views.ts'],
    ...['events/pacing.ts', 'feed/crowd.ts', 'feed/queries.ts', 'pages/return-address.ts', 'pages/same-origin.ts'],
    ...['pages/scope.ts', 'payments/stripe.ts', 'protocol/cursor.ts', 'trust/fetch-budget.ts'],
    ...['protocol/json.ts', 'registry/check-listing.ts', 'trust/addresses.ts', 'trust/check-digest.ts'],
    ...['trust/check-proof.ts', 'trust/egress.ts', 'trust/platform-profiles.ts', 'trust/public-address.ts'],
    ...['trust/read-agent.ts', 'trust/schemes/http-message-signature.ts', 'waitlist/preferences.ts'],
  ],
  /** `parsers.ts`: what is fetched, and what is judged after it was. */
  parsers: [
    ...['catalog/search.ts', 'oauth/access-tokens.ts', 'oauth/key-set.ts', 'oauth/outside-issuer.ts'],
    ...['registry/call-business.ts', 'registry/feed-page.ts', 'trust/keys.ts', 'trust/profile-document.ts'],
    'trust/proof.ts',
  ],
  /** From the operator, from our own database or files, or on the side of a platform. */
  ours: [
    ...['availability/hold-limits.ts', 'availability/hours.ts', 'availability/sessions.ts', 'bindings/tls.ts'],
    ...['business/definition-rules.ts', 'business/read-definition.ts', 'business/service-rules.ts', 'calendar/ical.ts'],
    ...['catalog/publish-catalogue.ts', 'cli/open.ts', 'cli/serve.ts', 'client/agent.ts', 'client/caller.ts'],
    ...['client/agent/booking-commands.ts', 'client/error.ts', 'client/http.ts', 'client/prove.ts', 'client/sign.ts'],
    ...['client/transport-mcp.ts', 'client/transport-rest.ts', 'client/transport.ts', 'config.ts', 'db/migrations.ts'],
    ...['hints/refresh-hints.ts', 'oauth/keys.ts', 'oauth/redirect-uris.ts', 'protocol/dispatch.ts'],
    ...['protocol/idempotency.ts', 'protocol/schemas.ts', 'trust/development/loopback.ts', 'trust/sign-request.ts'],
    ...['trust/few-of-strangers.ts', 'trust/signing-keys.ts', 'trusted-proxies.ts', 'watchdog/start.ts'],
    ...['business/never-had.ts', 'desk/change-entry.ts'],
  ],
}

/** Packages that were looked at: those that take text from outside apart stand above. */
const packages = [
  ...[
    '@fastify/cors',
    '@fastify/proxy-addr',
    '@fastify/swagger',
    '@fastify/swagger-ui',
    '@modelcontextprotocol/server',
  ],
  ...['@modelcontextprotocol/server/stdio', 'ajv-formats', 'ajv/dist/2020.js', 'canonicalize', 'close-with-grace'],
  ...[
    'fastify',
    'helmet',
    'http-message-signatures',
    'ipaddr.js',
    'jose',
    'kysely',
    'lru-cache',
    'oidc-provider',
    'pg',
  ],
  ...['pino', 'prom-client', 'rrule-temporal', 'stripe', 'structured-headers', 'temporal-polyfill', 'yaml'],
]

test('[no parser stalls the server] what is fetched or handed over, on the largest that is let in', async () => {
  expect(slowOf(await costs(new URL('./parsers.ts', import.meta.url)))).toEqual([])
}, 240_000)

test('[no parser stalls the server] whoever calls a parser says what puts that to the test', () => {
  const calling = new Set(
    calls.filter(({ name }) => PARSERS.some((parser) => parser.test(name))).map(({ file }) => file),
  )
  expect([...calling].sort()).toEqual(Object.values(coverage).flat().sort())
})

test('[no parser stalls the server] a new package is looked at for parsers', () => {
  const used = new Set(imports.map(({ name }) => name.split(' ')[0] ?? ''))
  expect([...used].filter((name) => !name.startsWith('node:') && !packages.includes(name))).toEqual([])
})
