import { notificationAsText } from '../core/mails/mail-text.ts'
import { type Composed, compose } from '../core/mails/notification-text.ts'
import { addressOf, type MailRow, mailFind, mailList, mailReplay } from '../core/mails/queries.ts'
import { textToSend } from '../core/mails/text-to-send.ts'
import type { StoredTextProvider } from '../infra/config/text-provider.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import type { Runtime } from '../server/build-dependencies.ts'
import { table } from './format-table.ts'
import { open } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const STATUSES = ['waiting', 'sent', 'given_up', 'dropped']

const USAGE = `Usage: ${USP} mails list [--status ${STATUSES.join('|')}] [--subject SUBJECT]
       ${USP} mails show ID
       ${USP} mails replay ID`

const text = { type: 'string' } as const
const options = { status: text, subject: text }

const SHOWN = 100

export async function run(args: string[]) {
  const command = commandOf(args)
  const { runtime, close } = await open()
  try {
    console.log(await command(runtime))
  } finally {
    await close()
  }
}

function commandOf(args: string[]): (runtime: Runtime) => Promise<string> {
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options }, USAGE)
  const [action, id, ...more] = positionals
  const { status, subject } = values
  if (more.length > 0 || (status !== undefined && !STATUSES.includes(status))) throw new PlainError(USAGE)
  if (action === 'list' && id === undefined)
    return async ({ db }) => table((await mailList(db, { status, subject, limit: SHOWN })).map(listed))
  if (action === 'show' && id !== undefined) return (runtime) => shown(runtime, id)
  if (action === 'replay' && id !== undefined) return (runtime) => replayed(runtime, id)
  throw new PlainError(USAGE)
}

const listed = ({ id, channel, kind, subject, audience, recipient, phone, status, attempts, created_at }: MailRow) => ({
  id,
  channel,
  kind,
  subject,
  to: addressOf({ channel, recipient, phone }) || audience,
  status,
  attempts,
  at: created_at.toISOString(),
})

async function shown({ db, business, letters }: Runtime, id: string): Promise<string> {
  const mail = await mailFind(db, id)
  if (!mail) throw new PlainError(`There is no mail ${id}. See: ${USP} mails list`)
  const { locale, next_at, problem } = mail
  const next = mail.status === 'waiting' ? { next: next_at.toISOString() } : {}
  const definition = await business.get()
  const composed = definition && compose(mail, letters, definition)
  const text = composed
    ? textOf(mail, composed, await business.textProvider())
    : 'This notification no longer applies, or its data was erased: it has no text.'
  return `${table([{ ...listed(mail), locale, ...next, problem: problem ?? '' }])}\n\n${text}`
}

const textOf = (
  { channel }: MailRow,
  { letter, localizer }: Composed,
  textProvider: StoredTextProvider | undefined,
): string =>
  channel === 'text' && letter.textMessage
    ? textToSend(letter.textMessage, textProvider)
    : `${letter.subject}\n\n${notificationAsText(letter, localizer)}`

async function replayed({ db, clock }: Runtime, id: string): Promise<string> {
  if (!(await mailReplay(db, id, clock())))
    throw new PlainError(`Mail ${id} cannot be sent again: it does not exist, it still waits, or its data was erased.`)
  return `${id} is sent again, with the same Message-ID.`
}
