import type { FastifyInstance, FastifyReply } from 'fastify'
import { currentSender } from '../../core/mails/build-queued-mails.ts'
import { mailHtml } from '../../core/mails/mail-html.ts'
import { type Composed, compose, type NotificationWriters } from '../../core/mails/notification-text.ts'
import { type MailRow, mailFind, mailList } from '../../core/mails/queries.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { addressNotFound } from '../http/problem-details.ts'
import { isFromThisMachine } from '../http/recognize-network-peer.ts'
import { rebindingFault } from '../http/refuse-dns-rebinding.ts'
import { type Guard, guarded } from '../http/route-guards.ts'
import { listView, mailPolicy, mailView, pagePolicy } from './outbox-html.ts'

type OutboxDependencies = Dependencies<'db' | 'config' | 'business'> & { letters: NotificationWriters }

const MAX_MAILS = 100

/**
 * Shows all mails in the browser, for people who try the server without a mail server. The pages exist only in
 * development. Requests from other machines get the status 404.
 */
export function serveOutbox(app: FastifyInstance, dependencies: OutboxDependencies) {
  const { db, config } = dependencies
  if (config.mode !== 'development') return
  const route = guarded('outbox', thisMachine(config))

  app.get('/mails', route, async (_, reply) => {
    const rows = await mailList(db, { limit: MAX_MAILS })
    const mailsWithSubjects = await Promise.all(
      rows.map(async (row) => ({ row, subject: (await composeNotification(row, dependencies))?.letter.subject })),
    )
    return asPage(reply, pagePolicy).send(
      listView(mailsWithSubjects, (await currentSender(dependencies)) !== undefined),
    )
  })

  app.get<{ Params: { id: string } }>('/mails/:id', route, async ({ params }, reply) => {
    const row = await mailFind(db, params.id)
    if (!row) throw addressNotFound()
    const composed = await composeNotification(row, dependencies)
    return asPage(reply, pagePolicy).send(mailView(row, composed, await dependencies.business.textProvider()))
  })

  app.get<{ Params: { id: string } }>('/mails/:id/html', route, async ({ params }, reply) => {
    const row = await mailFind(db, params.id)
    const definition = await dependencies.business.get()
    const composed = row && (await composeNotification(row, dependencies))
    if (!composed || !definition) throw addressNotFound()
    // The pages show a mail in a frame. With this `base` element, links in the mail open outside the frame, as in a
    // mail program.
    const shown = mailHtml(composed.letter, definition, composed.localizer).replace(
      '<head>',
      '<head><base target="_blank">',
    )
    return asPage(reply, mailPolicy).send(shown)
  })

  app.get<{ Params: { id: string } }>('/mails/:id/calendar.ics', route, async ({ params }, reply) => {
    const row = await mailFind(db, params.id)
    const calendar = (row && (await composeNotification(row, dependencies)))?.letter.calendar
    if (!calendar) throw addressNotFound()
    return asPage(reply, pagePolicy).type(`text/calendar; charset=utf-8; method=${calendar.method}`).send(calendar.text)
  })
}

/**
 * Refuses requests from other machines, and host names that do not belong to this server. Without the second check,
 * another site could read the pages with DNS rebinding (a host name that resolves to this machine).
 */
const thisMachine = (config: OutboxDependencies['config']): Guard => ({
  name: 'this machine',
  async pass(request) {
    const { host } = request.headers
    if (!isFromThisMachine(request) || rebindingFault({ host, origin: undefined }, config)) throw addressNotFound()
  },
})

const asPage = (reply: FastifyReply, policy: string) =>
  reply
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')

async function composeNotification(row: MailRow, dependencies: OutboxDependencies): Promise<Composed | undefined> {
  const definition = await dependencies.business.get()
  return definition && compose(row, dependencies.letters, definition, await currentSender(dependencies))
}
