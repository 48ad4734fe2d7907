import { recordOf } from '../../../basics/record-of.ts'
import { getDefinition } from '../../../desk/setup/get-definition.ts'
import { type Asking, ask, type DeskMeans } from '../desk-calls.ts'

/** The definition in force, and which one it is. */
export interface InForce {
  version: number
  text: string
  definition: object
}

export async function inForce(asking: Asking, means: DeskMeans): Promise<InForce> {
  const answer = await ask(getDefinition, {}, asking, means)
  if (answer.refusal) throw new Error(answer.refusal.content)
  const { version, definition: text } = answer.result
  // Nobody but who changes settings needs it.
  const { parse } = await import('yaml')
  return { version, text, definition: recordOf(parse(text)) }
}
