import { getMailServer } from '../../../domain/desk/setup/get-mail-server.ts'
import { removeMailServer } from '../../../domain/desk/setup/remove-mail-server.ts'
import { setMailServer } from '../../../domain/desk/setup/set-mail-server.ts'
import { testMailServer } from '../../../domain/desk/setup/test-mail-server.ts'
import { readEmail } from '../../../infra/util/email-address.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { Message as Refusal, SetMailServer } from '../../../protocol/types.generated.ts'
import { formOf } from '../../pages/page-route-setup.ts'
import { refusalText } from '../../pages/refusal-texts.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { Answer } from '../desk-page.ts'
import { MAIL_SERVER_FIELDS, MAIL_SERVER_PATH, type MailServerField, mailServerPage } from './mail-server-page.ts'
import { untilTested } from './tested-settings.ts'

/** Runs the action of the pressed button on the page about the mail server. */
export async function changeMailServer(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const form = formOf(deskRequest.request)
  switch (form.get('do')) {
    case 'save':
      return save(form, deskRequest, dependencies)
    case 'test':
      return sendTestMail(form, deskRequest, dependencies)
    case 'remove':
      await callAsStaff(removeMailServer, {}, deskRequest, dependencies)
      return { to: MAIL_SERVER_PATH }
    default:
      return mailServerPage(deskRequest, dependencies)
  }
}

async function save(form: URLSearchParams, deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const { localizer } = deskRequest.request
  const answer = await callAsStaff(setMailServer, inputOf(form), deskRequest, dependencies)
  if (!answer.refusal) return { to: `${MAIL_SERVER_PATH}?saved` }
  const field = fieldOf(answer.refusal)
  return field === undefined
    ? mailServerPage(deskRequest, dependencies, {
        form,
        faults: new Map(),
        problem: refusalText(answer.refusal.code, localizer),
      })
    : mailServerPage(deskRequest, dependencies, {
        form,
        faults: new Map([[field, faultText(field, localizer)]]),
      })
}

function inputOf(form: URLSearchParams): SetMailServer['input'] {
  const text = (name: MailServerField) => form.get(name)?.trim() ?? ''
  const [username, password] = [text('username'), form.get('password') ?? '']
  return {
    host: text('host'),
    port: Number(text('port')),
    security: text('security') === 'tls' ? 'tls' : 'starttls',
    sender: text('sender'),
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
  }
}

const fieldOf = ({ path = '' }: Refusal): MailServerField | undefined =>
  MAIL_SERVER_FIELDS.find((field) => path === `$.${field}`)

const faultText = (field: MailServerField, { say }: DeskRequest['request']['localizer']): string =>
  field === 'security' ? say('book.fault.missing') : say(`setup.mail_server.fault.${field}`)

/** Sends a test mail. Then waits for a short time, so that the page can show the answer of the mail server. */
async function sendTestMail(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const again = (fault: string) => mailServerPage(deskRequest, dependencies, { form, faults: new Map([['to', fault]]) })
  const to = readEmail(form.get('to') ?? '')
  if (to === undefined) return again(localizer.say('my.fault.email'))
  try {
    const answer = await callAsStaff(testMailServer, { to }, deskRequest, dependencies)
    if (answer.refusal) return again(refusalText(answer.refusal.code, localizer))
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== 'rate_limited') throw error
    return again(localizer.say('setup.mail_server.test.too_many'))
  }
  await untilTested(async () => {
    const answer = await callAsStaff(getMailServer, {}, deskRequest, dependencies)
    return answer.refusal ? undefined : answer.result.last_test
  })
  return { to: MAIL_SERVER_PATH }
}
