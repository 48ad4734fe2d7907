import type { FastifyInstance } from 'fastify'
import { ucpOperations } from '../domain/ucp-checkouts/operations.ts'
import { serveAssets } from '../interfaces/assets/serve.ts'
import { servePictures } from '../interfaces/assets/serve-pictures.ts'
import { serveAssistant } from '../interfaces/assistant/serve.ts'
import { serveBook } from '../interfaces/booking-flow/serve.ts'
import { servePages } from '../interfaces/booking-pages/serve.ts'
import { serveCalendarNotices } from '../interfaces/calendars/receive-calendar-notices.ts'
import { serveBookingCalendar } from '../interfaces/calendars/serve-booking-calendar.ts'
import { serveCalendarFeeds } from '../interfaces/calendars/serve-staff-calendar-feed.ts'
import { serveDesk } from '../interfaces/desk/serve.ts'
import { serveDocuments } from '../interfaces/docs/serve-api-documents.ts'
import { createHttpApp } from '../interfaces/http/create-fastify-app.ts'
import { mcpOverHttp } from '../interfaces/mcp/mcp-http.ts'
import { mcpBinding } from '../interfaces/mcp/mcp-server.ts'
import { serveServerCards } from '../interfaces/mcp/serve-server-cards.ts'
import { serveMy } from '../interfaces/my-bookings/serve.ts'
import { authority } from '../interfaces/oauth/load-authorization-server.ts'
import { serveOauth } from '../interfaces/oauth/serve.ts'
import { serveAccount } from '../interfaces/oauth/serve-account-page.ts'
import { serveLink } from '../interfaces/oauth/serve-consent-page.ts'
import { serveOutbox } from '../interfaces/outbox/serve.ts'
import { serveStripe } from '../interfaces/payment-notices/receive-stripe-notices.ts'
import { serveProfile } from '../interfaces/profile/serve-profile.ts'
import { serveKeyDirectory } from '../interfaces/profile/serve-public-keys.ts'
import { serveNotices } from '../interfaces/registry/receive-change-notices.ts'
import { servePlatformProfile } from '../interfaces/registry/serve-directory-profile.ts'
import { restBinding } from '../interfaces/rest/serve-rest-operations.ts'
import { serveSiteFiles } from '../interfaces/site-files/serve.ts'
import { serveStructuredData } from '../interfaces/structured-data/serve.ts'
import { serveTextReplies } from '../interfaces/text-replies/receive-text-replies.ts'
import { serveCheckoutPage } from '../interfaces/ucp/checkout-page.ts'
import { serveUcp } from '../interfaces/ucp/serve.ts'
import { serveWaiting } from '../interfaces/waitlist-pages/serve.ts'
import type { Runtime } from './build-dependencies.ts'

/**
 * A function that registers the routes of one interface, such as the desk. Each interface has its own Fastify scope, so
 * other interfaces do not see its hooks and routes.
 */
export type HttpInterface = (scope: FastifyInstance) => void | Promise<void>

/** Returns all interfaces of the server by name. They do not depend on each other, so their order does not matter. */
export function interfacesOf(runtime: Runtime): Record<string, HttpInterface> {
  const tokens = authority(runtime)
  return {
    rest: (scope) => restBinding(scope, runtime),
    mcp: (scope) => mcpOverHttp(scope, mcpBinding(runtime), runtime),
    assistant: (scope) => serveAssistant(scope, runtime),
    ucp: (scope) => serveUcp(scope, { ...runtime, operations: ucpOperations }),
    checkoutPage: (scope) => serveCheckoutPage(scope, runtime),
    serverCards: (scope) => serveServerCards(scope, { ...runtime, ucpOperations }),
    profile: (scope) => serveProfile(scope, { ...runtime, ucpOperations }),
    keyDirectory: (scope) => serveKeyDirectory(scope, runtime),
    structuredData: (scope) => serveStructuredData(scope, runtime),
    siteFiles: (scope) => serveSiteFiles(scope, runtime),
    bookingCalendar: (scope) => serveBookingCalendar(scope, runtime),
    calendarFeeds: (scope) => serveCalendarFeeds(scope, runtime),
    assets: (scope) => serveAssets(scope),
    pictures: (scope) => servePictures(scope, runtime),
    book: (scope) => serveBook(scope, runtime),
    pages: (scope) => servePages(scope, runtime),
    waiting: (scope) => serveWaiting(scope, runtime),
    my: (scope) => serveMy(scope, runtime),
    link: (scope) => serveLink(scope, runtime, tokens),
    account: (scope) => serveAccount(scope, runtime),
    desk: (scope) => serveDesk(scope, runtime),
    outbox: (scope) => serveOutbox(scope, runtime),
    oauth: (scope) => serveOauth(scope, runtime, tokens),
    stripe: (scope) => serveStripe(scope, runtime),
    textReplies: (scope) => serveTextReplies(scope, runtime),
    calendarNotices: (scope) => serveCalendarNotices(scope, runtime),
    platformProfile: (scope) => servePlatformProfile(scope, runtime),
    notices: (scope) => serveNotices(scope, runtime),
    documents: (scope) => serveDocuments(scope, runtime),
  }
}

/** Builds the whole HTTP server. The server does not yet listen on a port. */
export async function buildApp(runtime: Runtime, interfaces = interfacesOf(runtime)): Promise<FastifyInstance> {
  const app = await createHttpApp(runtime)
  for (const [name, httpInterface] of Object.entries(interfaces)) await app.register(named(name, httpInterface))
  return app
}

/**
 * Gives an interface a display name. Without this name, Fastify searches all loaded modules for a name at each start.
 */
const named = (name: string, httpInterface: HttpInterface) =>
  Object.assign(async (scope: FastifyInstance) => httpInterface(scope), { [Symbol.for('fastify.display-name')]: name })
