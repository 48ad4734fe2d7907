import { expect, test } from 'vitest'
import { oneOf } from '../support/case-sampling.ts'
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
    domain/accounts/passwords.ts core/authentication/check-proof.ts core/authentication/schemes/signature-base.ts
    core/authentication/schemes/signature-input.ts core/authentication/signature-agent.ts
    domain/registry/search/wanted-times.ts domain/availability/query-range.ts domain/bookings/check-booking-request.ts domain/bookings/guest-codes.ts interfaces/assistant/time-range.ts
    interfaces/assistant/url-elicitation.ts interfaces/assistant/tell-business.ts domain/catalog/get-service-feed.ts interfaces/http/peer.ts interfaces/http/dns-rebinding.ts interfaces/http/readable-addresses.ts
    interfaces/booking-flow/book-held.ts interfaces/booking-flow/visitor-choices.ts
    interfaces/booking-flow/services-page.ts interfaces/booking-flow/waitlist-page.ts interfaces/booking-flow/weeks.ts interfaces/booking-pages/move-search.ts
    interfaces/booking-pages/return-address.ts interfaces/my-bookings/sign-in-link-page.ts interfaces/my-bookings/bookings-page.ts
    interfaces/pages/layout.ts
    interfaces/mcp/mcp-message.ts interfaces/oauth/consent-pages.ts interfaces/oauth/resolve-client.ts interfaces/oauth/provider.ts interfaces/pages/form.ts
    infra/util/plain-text.ts interfaces/pages/scope.ts interfaces/rest/rest.ts core/egress/egress.ts core/egress/public-address.ts
    domain/catalog/catalogue-events.ts domain/feed/subscription-quota.ts core/limits/fetch-budget.ts infra/net/addresses.ts infra/net/parse-url.ts domain/payments/stripe.ts
    pipeline/check-digest.ts pipeline/check-agent.ts core/profiles/fetched-documents.ts protocol/cursor.ts
    protocol/json.ts domain/registry/listings/check-listing.ts
    domain/registry/listings/registration-queries.ts core/tokens/client-metadata.ts core/tokens/token-audiences.ts infra/time/zone.ts domain/waitlist/time-preferences.ts`),
  /** `parsers.ts`: what is fetched, and what is judged after it was. */
  parsers: names(`
    protocol/capability-origin.ts domain/catalog/slot-ruler.ts domain/registry/indexing/usable-hint.ts core/authentication/proof.ts domain/catalog/search.ts core/keys/public-keys.ts core/profiles/profile-document.ts
    domain/registry/indexing/call-business.ts domain/registry/indexing/feed-page.ts core/tokens/access-tokens.ts core/tokens/key-set.ts
    core/tokens/external-issuer.ts`),
  /** From the operator, from our own database or files, or on the side of a platform. */
  ours: names(`
    core/authentication/passkeys.ts domain/availability/hold-limits.ts domain/availability/hours-of-day.ts domain/availability/sessions.ts core/backup/read-backup.ts core/backup/sealed-secret.ts
    domain/availability/working-hours.ts domain/notifications/booking-notification.ts core/business/contact-channels.ts domain/calendar/ical.ts
    domain/catalog/publish-catalogue.ts cli/check-settings.ts cli/import.ts cli/serve.ts cli/start-background.ts cli/start-tracing.ts packages/client/agent.ts packages/client/agent/booking-commands.ts packages/client/caller.ts
    packages/client/error.ts packages/client/http.ts packages/client/create-proof.ts packages/client/sign.ts packages/client/transport-mcp.ts packages/client/transport-rest.ts
    packages/client/transport.ts infra/config/config.ts infra/config/mail-server.ts infra/config/setting-checks.ts infra/config/stripe-account.ts infra/db/embedded-postgres-programs.ts infra/db/migrations.ts
    domain/definition/definition-rules.ts domain/definition/parse-in-worker.ts domain/definition/read-definition.ts domain/definition/parse-worker.ts
    domain/definition/recurrence-rule.ts domain/definition/unbookable-services.ts domain/desk/bookings/list-notifications.ts domain/desk/inbox/list-failed-deliveries.ts
    domain/desk/shared/change-entry.ts domain/desk/shared/periods.ts interfaces/assets/serve.ts interfaces/assistant/entry-texts.ts
    interfaces/mcp/serve-server-cards.ts interfaces/mcp/server-name.ts interfaces/assistant/free-times.ts interfaces/assistant/time-texts.ts interfaces/assistant/assistant.ts interfaces/assistant/view.ts
    interfaces/desk/booking-actions.ts interfaces/desk/affected-bookings.ts interfaces/desk/away-page.ts interfaces/desk/book-page.ts interfaces/desk/booking-page.ts
    interfaces/desk/change-duration.ts interfaces/desk/class-page.ts interfaces/desk/hidden-columns.ts interfaces/desk/customer-page.ts
    interfaces/desk/customers-page.ts interfaces/desk/day-bar.ts interfaces/desk/day-columns.ts interfaces/desk/day-range.ts
    interfaces/desk/day-entries.ts interfaces/desk/dragging.ts interfaces/desk/inbox-page.ts
    interfaces/desk/duration-form.ts interfaces/desk/local-time.ts interfaces/desk/next-page-link.ts interfaces/desk/move-page.ts interfaces/desk/clicked-time.ts interfaces/desk/choose-new-place.ts
    interfaces/desk/unavailable-time.ts interfaces/desk/report-sections.ts interfaces/desk/series-page.ts interfaces/desk/serve.ts
    interfaces/desk/booking-history.ts interfaces/desk/setup/setup-questions-page.ts interfaces/desk/setup/id-from-name.ts interfaces/desk/setup/current-definition.ts interfaces/desk/setup/format-value.ts interfaces/desk/submit-once.ts interfaces/desk/waitlist-page.ts
    interfaces/docs/folder-files.ts interfaces/docs/serve-documents.ts interfaces/docs/site/serve.ts interfaces/docs/site/pages.ts interfaces/docs/site/render.ts interfaces/http/tls.ts interfaces/imports/ics-recurrence.ts interfaces/imports/ics-times.ts interfaces/imports/import-block.ts interfaces/imports/import-rows.ts interfaces/imports/parse-time.ts interfaces/profile/serve-public-keys.ts core/egress/development/loopback.ts
    domain/availability/hints/refresh-hints.ts core/keys/sign-message.ts core/keys/signing-keys.ts core/keys/web-bot-auth.ts core/limits/stranger-quota.ts
    core/mails/message.ts core/mails/smtp.ts infra/net/database-hosts.ts pipeline/call-from-page.ts pipeline/dispatch.ts pipeline/idempotency.ts protocol/schemas.ts
    core/tokens/token-signing-keys.ts core/tokens/linked-platforms.ts`),
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
    // Reads the pages of this repository only.
    'marked',
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
