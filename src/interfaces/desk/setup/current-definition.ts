import { getDefinition } from '../../../domain/desk/setup/get-definition.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'

export interface CurrentDefinition {
  version: number
  definition: object
}

export async function findCurrentDefinition(
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<CurrentDefinition> {
  const { version, definition } = await definitionIn('json', deskRequest, dependencies)
  return { version, definition: asRecord(JSON.parse(definition)) }
}

/**
 * Returns the current business definition (services, people, hours and prices) as YAML. A call is slow, because the
 * server converts the whole definition.
 */
export async function findCurrentYaml(
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<{ version: number; text: string }> {
  const { version, definition } = await definitionIn('yaml', deskRequest, dependencies)
  return { version, text: definition }
}

async function definitionIn(format: 'yaml' | 'json', deskRequest: DeskRequest, dependencies: DeskDependencies) {
  const answer = await callAsStaff(getDefinition, { format }, deskRequest, dependencies)
  if (answer.refusal) throw new Error(answer.refusal.content)
  return answer.result
}
