import { expect, test } from 'vitest'
import { oneOf } from '../support/sampled.ts'
import { slowOf } from './measure.ts'
import { calls, imports } from './source.ts'

/** What takes text apart, of the language and of packages. */
const PARSERS = [
  /^(JSON\.parse|new URL|URL\.(parse|canParse)|new URLSearchParams|decodeURI(Component)?|Date\.parse)$/,
  /^(parseDictionary|parseItem|parseDocument|jwtVerify|createLocalJWKSet|createPublicKey|new X509Certificate)$/,
  /^(readJson|parseJson|parseUrl|new RRuleTemporal|getDomain|ipaddr\.\w+)$|\.(normalize|segment|constructEvent)$/,
]

const names = (text: string) => text.trim().split(/\s+/)

/** Which files call one, and what puts that to the test. */
const coverage = {
  /** `requests.ts`: reached by a request of any stranger. */
  requests: names(`
    accounts/passwords.ts authentication/check-proof.ts authentication/schemes/signature-base.ts
    authentication/schemes/signature-input.ts authentication/signature-agent.ts
    availability/query-range.ts bookings/check-request.ts bookings/guest-codes.ts doors/assistant/moments.ts
    doors/assistant/opening.ts doors/assistant/tell-business.ts catalog/get-service-feed.ts doors/http/caller-address.ts
    doors/http/peer.ts doors/http/dns-rebinding.ts doors/http/readable-addresses.ts
    doors/book/book-held.ts doors/book/choice.ts
    doors/book/services-page.ts doors/book/waitlist-page.ts doors/book/weeks.ts doors/booking/move-choice.ts
    doors/booking/return-address.ts doors/my/ask-page.ts doors/my/bookings-page.ts
    doors/pages/layout.ts
    doors/mcp/mcp-message.ts doors/oauth/consent-pages.ts doors/oauth/settle-client.ts doors/oauth/tell-before-leaving.ts doors/pages/form.ts
    basics/folded.ts doors/pages/same-origin.ts doors/pages/scope.ts doors/rest/rest.ts egress/egress.ts egress/public-address.ts
    events/pacing.ts feed/crowd.ts limits/fetch-budget.ts net/addresses.ts net/parse-url.ts net/site.ts payments/stripe.ts
    pipeline/check-digest.ts pipeline/read-agent.ts profiles/fetched-documents.ts protocol/cursor.ts
    protocol/json.ts registry/listings/check-listing.ts
    registry/listings/registration-queries.ts tokens/read-assistant.ts tokens/redirect-uri.ts tokens/resources.ts time/zone.ts waitlist/preferences.ts`),
  /** `parsers.ts`: what is fetched, and what is judged after it was. */
  parsers: names(`
    authentication/proof.ts catalog/search.ts keys/keys.ts profiles/profile-document.ts
    registry/indexing/call-business.ts registry/indexing/feed-page.ts tokens/access-tokens.ts tokens/key-set.ts
    tokens/outside-issuer.ts`),
  /** From the operator, from our own database or files, or on the side of a platform. */
  ours: names(`
    authentication/passkeys.ts availability/hold-limits.ts availability/hours-of-day.ts availability/sessions.ts backup/read-backup.ts backup/sealed-secret.ts
    availability/working-hours.ts bookings/letters/booking-letter.ts business/ways-to-reach.ts calendar/ical.ts
    catalog/publish-catalogue.ts cli/check-settings.ts cli/import.ts cli/serve.ts cli/start-background.ts cli/start-tracing.ts client/agent.ts client/agent/booking-commands.ts client/caller.ts
    client/error.ts client/http.ts client/prove.ts client/sign.ts client/transport-mcp.ts client/transport-rest.ts
    client/transport.ts config/config.ts config/mail-server.ts config/readable.ts config/stripe-account.ts db/kept-programs.ts db/migrations.ts
    definition/definition-rules.ts definition/read-apart.ts definition/read-definition.ts definition/reading-thread.ts
    definition/recurrence-rule.ts definition/unbookable-services.ts desk/bookings/list-told.ts desk/inbox/list-given-up.ts
    desk/shared/change-entry.ts desk/shared/periods.ts doors/assets/serve.ts doors/assistant/entries.ts
    doors/assistant/findings.ts doors/assistant/free-times.ts doors/assistant/time-words.ts doors/assistant/told-schema.ts doors/assistant/view.ts
    doors/desk/acts.ts doors/desk/affected-list.ts doors/desk/away-page.ts doors/desk/book-page.ts doors/desk/booking-page.ts
    doors/desk/change-length.ts doors/desk/class-page.ts doors/desk/columns-shown.ts doors/desk/customer-page.ts
    doors/desk/customers-page.ts doors/desk/day-bar.ts doors/desk/day-columns.ts doors/desk/day-range.ts
    doors/desk/day-things.ts doors/desk/dragging.ts doors/desk/inbox-page.ts doors/desk/lapsing-part.ts
    doors/desk/length-form.ts doors/desk/local-time.ts doors/desk/more.ts doors/desk/move-page.ts doors/desk/pressed-time.ts doors/desk/put-elsewhere.ts
    doors/desk/refused-time.ts doors/desk/report-parts.ts doors/desk/series-page.ts doors/desk/serve.ts
    doors/desk/story.ts doors/desk/setup/first-page.ts doors/desk/setup/ids.ts doors/desk/setup/in-force.ts doors/desk/setup/value-text.ts doors/desk/submit-once.ts doors/desk/waitlist-page.ts
    doors/docs/explorer-files.ts doors/http/tls.ts doors/imports/ics-recurrence.ts doors/imports/ics-times.ts doors/imports/import-block.ts doors/imports/import-rows.ts doors/imports/moments.ts doors/profile/serve-key-directory.ts egress/development/loopback.ts
    hints/refresh-hints.ts keys/sign-request.ts keys/signing-keys.ts keys/web-bot-auth.ts limits/stranger-quota.ts
    mails/message.ts mails/smtp.ts net/database-hosts.ts net/trusted-proxies.ts pipeline/call-from-page.ts pipeline/dispatch.ts pipeline/idempotency.ts protocol/schemas.ts
    tokens/keys.ts tokens/linked-platforms.ts`),
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
    // Spoken texts are ours; what is put into them is never parsed.
    'intl-messageformat',
    // Numbers of forty characters at most, measured below through the pages.
    'libphonenumber-js',
    // What it reads of a passkey is as long as `parsers.ts` tries, and was asked of that browser.
    '@simplewebauthn/server',
    '@simplewebauthn/server/helpers',
    // Composes mails; what it reads is the mail server's, within its own bounds.
    'nodemailer',
    'http-message-signatures',
    'ipaddr.js',
    'jose',
    'kysely',
    'lru-cache',
    'oidc-provider',
    'pg',
    // Told of steps by us; of callers it reads a traceparent of a fixed form alone, which is looked at before.
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/otlp-exporter-base',
    '@opentelemetry/otlp-exporter-base/node-http',
    '@opentelemetry/otlp-transformer',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-node',
    // Rows as they are, chunk by chunk.
    'pg-copy-streams',
  ],
  ...[
    'pino',
    'prom-client',
    // Writes codes; what reads them is not loaded.
    'qr',
    'rrule-temporal',
    'stripe',
    'structured-headers',
    'temporal-polyfill',
    'tldts',
    'yaml',
  ],
]

test('[no parser stalls the server] what is fetched or handed over, on the largest that is let in', async () => {
  expect((await slowOf(new URL('./parsers.ts', import.meta.url), { oneOf: oneOf() })).slow).toEqual([])
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
