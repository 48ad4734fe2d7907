import type { FastifyInstance } from 'fastify'
import { serveAssets } from './doors/assets/serve.ts'
import { serveAssistant } from './doors/assistant/serve.ts'
import { serveBook } from './doors/book/serve.ts'
import { servePages } from './doors/booking/serve.ts'
import { serveBookingCalendar } from './doors/calendars/serve-booking.ts'
import { serveCalendarFeeds } from './doors/calendars/serve-feed.ts'
import { serveDesk } from './doors/desk/serve.ts'
import { serveDocuments } from './doors/docs/documents.ts'
import { openHttp } from './doors/http/open-http.ts'
import { mcpBinding } from './doors/mcp/mcp.ts'
import { mcpOverHttp } from './doors/mcp/mcp-http.ts'
import { serveMy } from './doors/my/serve.ts'
import { authority } from './doors/oauth/authority.ts'
import { serveOauth } from './doors/oauth/serve.ts'
import { serveAccount } from './doors/oauth/serve-account.ts'
import { serveLink } from './doors/oauth/serve-link.ts'
import { serveOutbox } from './doors/outbox/serve.ts'
import { serveKeyDirectory } from './doors/profile/serve-key-directory.ts'
import { serveProfile } from './doors/profile/serve-profile.ts'
import { serveNotices } from './doors/registry/serve-notices.ts'
import { servePlatformProfile } from './doors/registry/serve-platform-profile.ts'
import { restBinding } from './doors/rest/rest.ts'
import { serveSiteFiles } from './doors/site-files/serve.ts'
import { serveStripe } from './doors/stripe/serve.ts'
import { serveStructuredData } from './doors/structured-data/serve.ts'
import { serveWaiting } from './doors/waiting/serve.ts'
import type { Runtime } from './runtime.ts'

/** Opens on a scope of its own: what it adds there no other door has. */
export type Door = (scope: FastifyInstance) => void | Promise<void>

/** Every door. None depends on another, nor on its place in the list. */
export function doorsOf(runtime: Runtime): Record<string, Door> {
  const tokens = authority(runtime)
  return {
    rest: (scope) => restBinding(scope, runtime),
    mcp: (scope) => mcpOverHttp(scope, mcpBinding(runtime), runtime),
    assistant: (scope) => serveAssistant(scope, runtime),
    profile: (scope) => serveProfile(scope, runtime),
    keyDirectory: (scope) => serveKeyDirectory(scope, runtime),
    structuredData: (scope) => serveStructuredData(scope, runtime),
    siteFiles: (scope) => serveSiteFiles(scope, runtime),
    bookingCalendar: (scope) => serveBookingCalendar(scope, runtime),
    calendarFeeds: (scope) => serveCalendarFeeds(scope, runtime),
    assets: (scope) => serveAssets(scope),
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
    platformProfile: (scope) => servePlatformProfile(scope, runtime),
    notices: (scope) => serveNotices(scope, runtime),
    documents: (scope) => serveDocuments(scope, runtime),
  }
}

/** The whole server without a port. */
export async function buildApp(runtime: Runtime, doors = doorsOf(runtime)): Promise<FastifyInstance> {
  const app = await openHttp(runtime)
  for (const [name, door] of Object.entries(doors)) await app.register(named(name, door))
  return app
}

/** Without a name of its own it is looked for among all files that are loaded, each time. */
const named = (name: string, door: Door) =>
  Object.assign(async (scope: FastifyInstance) => door(scope), { [Symbol.for('fastify.display-name')]: name })
