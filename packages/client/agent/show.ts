import { PlainError } from '../../../src/infra/util/plain-error.ts'
import type { Answer } from '../index.ts'

export interface Shown {
  text: string
  payload: object
}

/** The successful answer in words. Throws the reasons of a refusal. */
export function shown<Output extends object>(answer: Answer<Output>, tell: (output: Output) => string): Shown {
  if (isGranted(answer)) return { text: tell(answer), payload: answer }
  throw new PlainError((answer.messages ?? []).map(({ code, content }) => `${code}: ${content}`).join(' '))
}

const isGranted = <Output extends object>(answer: Answer<Output>): answer is Answer<Output> & Output =>
  answer.usp.status !== 'error'
