import { getDefinition } from '../../../domain/desk/setup/get-definition.ts'
import { recordOf } from '../../../infra/util/record-of.ts'
import { type Asking, ask, type DeskMeans } from '../desk-calls.ts'

export interface InForce {
  version: number
  definition: object
}

export async function inForce(asking: Asking, means: DeskMeans): Promise<InForce> {
  const { version, definition } = await definitionIn('json', asking, means)
  return { version, definition: recordOf(JSON.parse(definition)) }
}

/** The definition in force as YAML. Writing YAML is slow. */
export async function inForceAsYaml(asking: Asking, means: DeskMeans): Promise<{ version: number; text: string }> {
  const { version, definition } = await definitionIn('yaml', asking, means)
  return { version, text: definition }
}

async function definitionIn(format: 'yaml' | 'json', asking: Asking, means: DeskMeans) {
  const answer = await ask(getDefinition, { format }, asking, means)
  if (answer.refusal) throw new Error(answer.refusal.content)
  return answer.result
}
