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
    interfaces/calendars/receive-calendar-notices.ts
    domain/accounts/hash-passwords.ts core/authentication/check-proof-against-call.ts core/authentication/schemes/signature-base.ts
    core/authentication/schemes/signature-input.ts core/authentication/verify-bot-signature.ts
    domain/registry/search/requested-start-times.ts domain/availability/read-query-range.ts domain/bookings/check-booking-request.ts domain/bookings/guest-codes.ts interfaces/assistant/time-range.ts
    interfaces/assistant/ask-client-to-open-url.ts interfaces/assistant/tell-business-tool.ts domain/catalog/get-service-feed.ts interfaces/http/recognize-network-peer.ts interfaces/http/refuse-dns-rebinding.ts interfaces/http/refuse-unreadable-urls.ts
    interfaces/booking-flow/book-held-slot.ts interfaces/booking-flow/visitor-choices.ts
    interfaces/booking-flow/services-page.ts interfaces/booking-flow/join-waitlist-page.ts interfaces/booking-flow/calendar-weeks.ts interfaces/booking-pages/search-new-times.ts
    interfaces/booking-pages/return-to-platform-link.ts interfaces/my-bookings/request-sign-in-link-page.ts interfaces/my-bookings/bookings-page.ts
    interfaces/pages/page-layout.ts
    interfaces/mcp/mcp-message.ts interfaces/oauth/consent-pages.ts interfaces/oauth/resolve-client-id.ts interfaces/oauth/create-oidc-provider.ts interfaces/pages/read-form-and-query.ts
    infra/util/plain-text.ts interfaces/pages/page-route-setup.ts interfaces/rest/serve-rest-operations.ts core/egress/call-external-url.ts domain/busy-times/connect-source.ts domain/busy-times/fetch-calendar.ts core/egress/own-public-address.ts
    domain/catalog/catalogue-events.ts domain/feed/subscription-quota.ts core/limits/fetch-limit-per-host.ts infra/net/ip-addresses.ts infra/net/parse-url.ts domain/payments/stripe.ts core/texts/twilio.ts core/texts/bird.ts core/texts/text-refusal.ts core/texts/http-gateway.ts core/texts/meaning-of-reply.ts
    pipeline/check-content-digest.ts pipeline/check-platform-profile.ts core/profiles/fetched-document-cache.ts protocol/page-cursors.ts
    protocol/parse-json-safely.ts domain/registry/listings/check-listed-business.ts
    domain/registry/listings/registration-queries.ts core/tokens/validate-client-metadata.ts core/tokens/token-audiences.ts infra/time/time-zone.ts domain/waitlist/time-preferences.ts`),
  /** `parsers.ts`: what is fetched, and what is judged after it was. */
  parsers: names(`
    protocol/check-capability-origin.ts domain/busy-times/caldav/caldav-client.ts domain/busy-times/caldav/find-calendars.ts
    domain/busy-times/google/google-client.ts domain/busy-times/google/google-event.ts domain/busy-times/microsoft/microsoft-event.ts domain/busy-times/oauth/provider-client.ts domain/busy-times/caldav/object-keys.ts domain/busy-times/caldav/event-calls.ts domain/busy-times/caldav/read-account.ts domain/catalog/decode-slot-bitmap.ts domain/registry/indexing/usable-availability-hint.ts core/authentication/verify-proof-jwt.ts domain/catalog/search-words.ts core/keys/public-keys.ts core/profiles/profile-document.ts
    domain/registry/indexing/call-listed-business.ts domain/registry/indexing/read-feed-page.ts core/tokens/access-tokens.ts core/tokens/issuer-key-set.ts
    core/tokens/external-issuer.ts core/authentication/company-provider.ts core/authentication/authorization-request.ts`),
  /** From the operator, from our own database or files, or on the side of a platform. */
  ours: names(`
    core/authentication/webauthn-passkeys.ts domain/availability/hold-limits.ts domain/availability/opening-hours-on-day.ts domain/availability/scheduled-class-sessions.ts core/backup/read-backup.ts core/backup/encrypt-secret-key.ts
    domain/availability/working-hours-and-closures.ts domain/notifications/booking-notification.ts core/business/contact-channels.ts domain/calendar/add-to-calendar-links.ts domain/calendar/ical-text-format.ts
    domain/catalog/publish-catalogue.ts cli/check-settings.ts cli/import-bookings-command.ts
    cli/demo/fill-next-classes.ts cli/demo/book-visit.ts cli/demo/invented-people.ts cli/demo/make-demo-data.ts cli/demo/plan-visits.ts cli/demo/visit-events.ts
    cli/start-server.ts cli/start-background-thread.ts cli/start-tracing.ts packages/client/run-agent-command.ts packages/client/agent/booking-commands.ts packages/client/call-business.ts
    packages/client/client-errors.ts packages/client/send-http-request.ts packages/client/create-possession-proof.ts packages/client/sign-request.ts packages/client/transport-mcp.ts packages/client/transport-rest.ts
    packages/client/transport.ts packages/client/webhooks/check-body-digest.ts packages/client/webhooks/choose-signatures.ts packages/client/webhooks/read-webhook-request.ts
    packages/client/webhooks/verify-webhook.ts infra/config/read-config.ts infra/config/mail-server.ts core/mails/current-mail-server.ts domain/desk/setup/text-provider-schema.ts domain/desk/setup/company-sign-in-schema.ts domain/desk/setup/set-company-sign-in.ts core/texts/quiet-hours.ts infra/config/setting-checks.ts infra/config/stripe-account.ts infra/db/embedded-postgres-programs.ts infra/db/migration-files.ts infra/i18n/text-catalogues.ts
    domain/pictures/encode-picture.ts domain/busy-times/caldav/caldav-account.ts domain/busy-times/oauth/provider-account.ts domain/busy-times/oauth/provider-access.ts infra/config/calendar-providers.ts interfaces/desk/connect-provider-calendar.ts domain/busy-times/reader/read-in-process.ts domain/busy-times/reader/read-reports.ts domain/busy-times/source-schema.ts domain/calendar-writing/wanted-event.ts interfaces/desk/change-connected-calendars.ts interfaces/mcp/tool-list.ts domain/definition/check-definition.ts domain/definition/parse-definition-in-worker.ts domain/definition/read-definition.ts domain/definition/definition-parser-worker.ts
    domain/definition/check-recurrence-rule.ts domain/definition/unbookable-services.ts domain/desk/bookings/list-notifications.ts domain/desk/inbox/list-failed-deliveries.ts
    domain/desk/shared/audit-log-entries.ts domain/desk/shared/report-periods.ts interfaces/assets/serve.ts interfaces/assets/demo-pictures.ts interfaces/assistant/describe-waitlist-entry.ts
    interfaces/mcp/serve-server-cards.ts interfaces/mcp/server-info.ts interfaces/assistant/search-free-times.ts interfaces/assistant/describe-free-times.ts interfaces/assistant/assistant-mcp-server.ts interfaces/assistant/booking-view.ts
    interfaces/desk/booking-actions.ts interfaces/desk/design/buyer-components.ts interfaces/desk/design/desk-components.ts interfaces/desk/design/serve-design-pages.ts interfaces/desk/desk-style.ts interfaces/desk/unconfirmed-booking-text.ts interfaces/pages/style.ts interfaces/desk/affected-bookings-form.ts interfaces/desk/customer-in-booking-form.ts interfaces/desk/absence-page.ts interfaces/desk/new-booking-page.ts interfaces/desk/booking-page.ts
    interfaces/desk/change-booking-duration.ts interfaces/desk/class-session-page.ts interfaces/desk/hidden-day-columns.ts interfaces/desk/customer-page.ts
    interfaces/desk/customers-page.ts interfaces/desk/day-navigation-bar.ts interfaces/desk/day-columns.ts interfaces/desk/date-range-form.ts
    interfaces/desk/day-entries.ts interfaces/desk/drag-booking-attributes.ts interfaces/desk/inbox-page.ts
    interfaces/desk/booking-duration-form.ts interfaces/desk/local-time-input.ts interfaces/desk/next-page-link.ts interfaces/desk/move-booking-page.ts interfaces/desk/clicked-time-in-column.ts interfaces/desk/walk-in-time.ts interfaces/desk/move-booking-in-day-view.ts
    interfaces/desk/explain-unavailable-time.ts interfaces/desk/report-sections.ts interfaces/desk/booking-series-page.ts interfaces/desk/serve.ts interfaces/desk/free-times-of-week.ts interfaces/desk/installable-app.ts interfaces/desk/move-notification-form.ts interfaces/desk/redirect-after-move.ts interfaces/desk/time-chooser.ts
    interfaces/desk/booking-history.ts interfaces/desk/setup/setup-questions-page.ts interfaces/desk/setup/id-from-name.ts interfaces/desk/setup/current-definition.ts interfaces/desk/setup/format-definition-value.ts interfaces/desk/submit-form-once.ts interfaces/desk/waitlist-page.ts
    interfaces/docs/serve-folder-files.ts interfaces/docs/serve-api-documents.ts interfaces/docs/site/serve.ts interfaces/docs/site/documentation-pages.ts interfaces/docs/site/render-markdown.ts interfaces/http/tls.ts interfaces/imports/ics-recurrence.ts interfaces/imports/parse-ics-times.ts interfaces/imports/import-blocked-time.ts interfaces/imports/import-rows.ts interfaces/imports/parse-time.ts interfaces/profile/serve-public-keys.ts core/egress/development/loopback-certificate.ts
    domain/availability/hints/refresh-availability-hints.ts core/keys/sign-http-message.ts core/keys/signing-keys.ts core/keys/web-bot-auth.ts core/limits/stranger-caller-quota.ts
    core/push/push-key.ts core/push/send-push-message.ts core/mails/build-email-message.ts core/mails/smtp.ts infra/net/parse-database-url.ts pipeline/call-operation-from-page.ts pipeline/dispatch-operation.ts pipeline/idempotency.ts protocol/json-schemas.ts
    core/tokens/token-signing-keys.ts core/tokens/linked-platforms.ts`),
}

/** Packages that were looked at: those that take text from outside apart stand above. */
const packages = [
  ...['@fastify/cors', '@fastify/proxy-addr', '@modelcontextprotocol/server'],
  ...[
    '@modelcontextprotocol/server/stdio',
    'ajv-formats/dist/formats.js',
    'ajv/dist/2020.js',
    'canonicalize',
    'close-with-grace',
  ],
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
    // Lists of CalDAV servers stand above; answers with events are read in a process of their own.
    'saxes',
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
