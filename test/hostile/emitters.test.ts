import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { imports } from './source.ts'

/** Where things come from that emit `error`, which ends the process when nobody listens. */
const MODULES =
  /^(node:(child_process|dgram|events|http|http2|https|net|readline|stream|tls|worker_threads)|pg|nodemailer|oidc-provider) /
/** What of them makes nothing that emits, or is watched by `tls.ts` and the like as a value only. */
const HARMLESS = / (isIP|createSecureContext|getCACertificates|addAbortSignal|once|workerData|ServerResponse|errors)$/

/** Why nothing goes unheard that is made in a file without a listener of its own. */
const heard: Record<string, string> = {
  'core/backup/restore-backup.ts': 'the pipeline that it stands in listens',
  'core/backup/write-backup.ts': 'the pipeline that it stands in listens',
  'core/backup/open-backup-connection.ts': 'makes none: `find-database-host.ts` does, and listens',
  'cli/temporary-database.ts': 'makes none',
  'cli/connected-calendars-command.ts': 'reads the standard input of a command, which may end with its error',
  'cli/background-thread.ts': 'a port to the thread that started it, which breaks with the thread',
  'infra/db/embedded-postgres-programs.ts': 'a promise is rejected with the error',
  'infra/db/database-failures.ts': 'makes none',
  'infra/db/pending-statements.ts': 'makes none',
  'infra/db/check-database-readiness.ts': 'makes none',
  'domain/definition/definition-parser-worker.ts': 'a port to the thread that started it, which breaks with the thread',
  'interfaces/calendars/serve-staff-calendar-feed.ts': 'Fastify listens to a stream that it sends',
  'interfaces/http/drain-request-bodies.ts': 'Fastify listens to a stream that it sends',
  'interfaces/http/request-defaults.ts': 'a socket that is never connected',
  'interfaces/http/recognize-network-peer.ts': 'makes none',
  'interfaces/http/limit-body-chunks-per-turn.ts': 'requests, to which the server listens',
  'interfaces/http/limit-unread-answers.ts': 'Fastify listens to a stream that it sends',
  'interfaces/mcp/mcp-stdio.ts': 'a stream in memory that nothing breaks',
  'core/egress/read-response-in-slices.ts': 'goes to the request in `send-external-request.ts`, which listens',
}

const root = fileURLToPath(new URL('../../src/', import.meta.url))
const listens = (file: string) => /\.(on|once)\(\s*'error'/.test(readFileSync(root + file, 'utf8'))

test('[no outside address ends the process] whatever makes an emitter listens to its error, or says who does', () => {
  const makes = imports.filter(({ name }) => MODULES.test(name) && !HARMLESS.test(name)).map(({ file }) => file)
  const deaf = [...new Set(makes)].filter((file) => !file.startsWith('packages/client/') && !listens(file))
  expect(deaf.sort()).toEqual(Object.keys(heard).sort())
})
