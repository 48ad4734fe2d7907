import type { FastifyInstance, FastifyReply } from 'fastify'
import { memoize } from '../../../infra/util/memoize.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { CountingDependencies } from '../../../pipeline/limit-calls-per-caller.ts'
import { fixedAnswer } from '../../http/fixed-response.ts'
import { addressNotFound } from '../../http/problem-details.ts'
import { guarded, rateLimited, refuseOtherMethods, withoutGuard } from '../../http/route-guards.ts'
import { folderFiles } from '../serve-folder-files.ts'
import { pageView, policy, searchView, startView } from './documentation-html.ts'
import { FOLDER, type Page, pages } from './documentation-pages.ts'
import { SITE } from './render-markdown.ts'
import { search } from './search.ts'

const CACHE_SECONDS = 3600
/** The maximum number of characters of a search query. The server ignores all further characters. */
const LONGEST_QUERY = 100
const MAX_CACHED_PAGES = 200

const htmlAnswer = (content: string) =>
  fixedAnswer({ type: 'text/html; charset=utf-8', content, maxAgeSeconds: CACHE_SECONDS })

const answerOf = memoize(MAX_CACHED_PAGES, (page: Page) => htmlAnswer(pageView(page)))
const startAnswer = memoize(1, (view: () => string) => htmlAnswer(view()))

/** Serves the folder `docs` as a website with a search. The site needs no browser scripts and no build. */
export function serveSite(app: FastifyInstance, dependencies: CountingDependencies) {
  const route = guarded('other', withoutGuard('the same for every caller, in memory'))
  const withPolicy = (reply: FastifyReply) => reply.header('content-security-policy', policy)

  for (const path of [SITE, `${SITE}/`])
    app.get(path, route, (request, reply) => startAnswer(startView)(request, withPolicy(reply)))
  app.get(`${SITE}/search`, guarded('other', rateLimited(dependencies, 'docs')), async ({ query }, reply) => {
    const words = String(asRecord(query).q ?? '').slice(0, LONGEST_QUERY)
    return withPolicy(reply)
      .type('text/html; charset=utf-8')
      .send(searchView(words, search(words)))
  })
  app.get(`${SITE}/images/*`, route, folderFiles(new URL('images/', FOLDER)))
  app.get<{ Params: { '*': string } }>(`${SITE}/*`, route, async (request, reply) => {
    const page = pages().get(request.params['*'])
    if (!page) throw addressNotFound()
    return answerOf(page)(request, withPolicy(reply))
  })
  refuseOtherMethods(app, `${SITE}/*`, ['GET'])
}
