import { asRecord } from '../../infra/util/object-members.ts'
import { oneLine, shortened } from '../../infra/util/plain-text.ts'
import { readJson, UnreadableDocumentError } from '../../protocol/parse-json-safely.ts'
import type { EgressResponse } from '../egress/call-external-url.ts'
import { type FailedText, mayHaveArrived } from './text-adapter.ts'

const MAX_PROBLEM_CHARACTERS = 400
const bounds = { deepest: 8, mostValues: 100, longestText: 8 * 1024 }

/** The error that a provider names in its answer. */
export function errorIn(body: Buffer): { code: string | undefined; message: string } {
  try {
    const { code, message } = asRecord(readJson(body, bounds))
    return {
      code: typeof code === 'number' || typeof code === 'string' ? String(code) : undefined,
      message: typeof message === 'string' ? message : '',
    }
  } catch (error) {
    if (!(error instanceof UnreadableDocumentError)) throw error
    return { code: undefined, message: 'The answer has no JSON.' }
  }
}

/** The result after a provider refused a message. A provider asks for a later attempt only after a status 429 or 503. */
export function refusalOf(
  provider: string,
  { status, body }: Pick<EgressResponse, 'status' | 'body'>,
  { isHopeless }: { isHopeless: boolean },
): FailedText {
  const { code, message } = errorIn(body)
  const what = `${provider} answered ${status}${code === undefined ? '' : `, error ${code}`}: ${message}`
  const problem = shortened(oneLine(what), MAX_PROBLEM_CHARACTERS)
  if (isHopeless) return { result: 'hopeless', problem }
  return status >= 500 && status !== 503 ? mayHaveArrived(problem) : { result: 'failed', problem }
}
