import { getDefinition } from '../../../domain/desk/setup/get-definition.ts'
import { asRecord } from '../../../infra/util/records.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../desk-calls.ts'

export interface CurrentDefinition {
  version: number
  definition: object
}

export async function findCurrentDefinition(asking: DeskRequest, means: DeskDependencies): Promise<CurrentDefinition> {
  const { version, definition } = await definitionIn('json', asking, means)
  return { version, definition: asRecord(JSON.parse(definition)) }
}

/** The definition in force as YAML. Writing YAML is slow. */
export async function findCurrentYaml(
  asking: DeskRequest,
  means: DeskDependencies,
): Promise<{ version: number; text: string }> {
  const { version, definition } = await definitionIn('yaml', asking, means)
  return { version, text: definition }
}

async function definitionIn(format: 'yaml' | 'json', asking: DeskRequest, means: DeskDependencies) {
  const answer = await callAsStaff(getDefinition, { format }, asking, means)
  if (answer.refusal) throw new Error(answer.refusal.content)
  return answer.result
}
