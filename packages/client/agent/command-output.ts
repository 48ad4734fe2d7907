import { PlainError } from '../../../src/infra/util/command-line-error.ts'
import type { Answer } from '../index.ts'

export interface CommandResult {
  text: string
  payload: object
}

/**
 * Converts an answer from a business to the output of a command. If the business refused the call, throws the reasons
 * of the refusal.
 */
export function resultOf<Output extends object>(
  answer: Answer<Output>,
  tell: (output: Output) => string,
): CommandResult {
  if (isSuccess(answer)) return { text: tell(answer), payload: answer }
  throw new PlainError((answer.messages ?? []).map(({ code, content }) => `${code}: ${content}`).join(' '))
}

const isSuccess = <Output extends object>(answer: Answer<Output>): answer is Answer<Output> & Output =>
  answer.usp.status !== 'error'
