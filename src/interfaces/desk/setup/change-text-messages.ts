import { getTextProvider } from '../../../domain/desk/setup/get-text-provider.ts'
import { removeTextProvider } from '../../../domain/desk/setup/remove-text-provider.ts'
import { setTextProvider } from '../../../domain/desk/setup/set-text-provider.ts'
import { testTextProvider } from '../../../domain/desk/setup/test-text-provider.ts'
import { TEXT_ADAPTERS, TEXT_TOPICS } from '../../../infra/config/text-provider.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { Message as Refusal, SetTextProvider } from '../../../protocol/types.generated.ts'
import { formOf } from '../../pages/page-route-setup.ts'
import { refusalText } from '../../pages/refusal-texts.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { Answer } from '../desk-page.ts'
import { untilTested } from './tested-settings.ts'
import { TEXT_FIELDS, TEXT_MESSAGES_PATH, type TextField, textMessagesPage } from './text-messages-page.ts'

/** Runs the action of the pressed button on the page about text messages. */
export async function changeTextMessages(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const form = formOf(deskRequest.request)
  switch (form.get('do')) {
    case 'save':
      return save(form, deskRequest, dependencies)
    case 'test':
      return sendTest(form, deskRequest, dependencies)
    case 'remove':
      await callAsStaff(removeTextProvider, {}, deskRequest, dependencies)
      return { to: TEXT_MESSAGES_PATH }
    default:
      return textMessagesPage(deskRequest, dependencies)
  }
}

async function save(form: URLSearchParams, deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const { localizer } = deskRequest.request
  const answer = await callAsStaff(setTextProvider, inputOf(form), deskRequest, dependencies)
  if (!answer.refusal) return { to: `${TEXT_MESSAGES_PATH}?saved` }
  const field = fieldOf(answer.refusal)
  return textMessagesPage(
    deskRequest,
    dependencies,
    field === undefined
      ? { form, faults: new Map(), problem: refusalText(answer.refusal.code, localizer) }
      : { form, faults: new Map([[field, faultText(field, localizer)]]) },
  )
}

function inputOf(form: URLSearchParams): SetTextProvider['input'] {
  const text = (name: TextField) => form.get(name)?.trim() ?? ''
  const optional = (name: 'url' | 'quiet_from' | 'quiet_until' | 'price', value = text(name)) =>
    value !== '' && { [name]: value }
  const secret = form.get('secret') ?? ''
  return {
    adapter: TEXT_ADAPTERS.find((adapter) => adapter === text('adapter')) ?? 'twilio',
    ...optional('url'),
    account: text('account'),
    ...(secret !== '' && { secret }),
    sender: text('sender'),
    countries: [
      ...new Set(
        text('countries')
          .toUpperCase()
          .split(/[\s,;]+/)
          .filter(Boolean),
      ),
    ],
    topics: TEXT_TOPICS.filter((topic) => form.getAll('topics').includes(topic)),
    ...optional('quiet_from'),
    ...optional('quiet_until'),
    daily_limit: Number(text('daily_limit')),
    // In many languages, people write a decimal comma.
    ...optional('price', text('price').replace(',', '.')),
  }
}

/** Returns the field that the server refused. The path of a wrong country is longer than the path of its field. */
const fieldOf = ({ path = '' }: Refusal): TextField | undefined =>
  TEXT_FIELDS.find((field) => field === /^\$\.(\w+)/.exec(path)?.[1])

const faultText = (field: TextField, { say }: DeskRequest['request']['localizer']): string =>
  field === 'adapter' || field === 'quiet_from' ? say('book.fault.missing') : say(`setup.texts.fault.${field}`)

/** Sends a test message. Then waits for a short time, so that the page can show the answer of the provider. */
async function sendTest(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const again = (fault: string) =>
    textMessagesPage(deskRequest, dependencies, { form, faults: new Map([['to', fault]]) })
  try {
    const answer = await callAsStaff(testTextProvider, { to: form.get('to')?.trim() ?? '' }, deskRequest, dependencies)
    if (answer.refusal?.path === '$.to') return again(localizer.say('setup.texts.fault.to'))
    if (answer.refusal) return again(refusalText(answer.refusal.code, localizer))
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code !== 'rate_limited') throw error
    return again(localizer.say('setup.texts.test.too_many'))
  }
  await untilTested(async () => {
    const answer = await callAsStaff(getTextProvider, {}, deskRequest, dependencies)
    return answer.refusal ? undefined : answer.result.last_test
  })
  return { to: TEXT_MESSAGES_PATH }
}
