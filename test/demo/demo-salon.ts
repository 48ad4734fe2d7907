import { openDemoSalon } from '../../src/cli/demo/open-demo-salon.ts'
import { tellStory } from '../../src/cli/demo/tell-story.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { readDefinitionFile } from '../../src/domain/definition/read-definition.ts'
import { testServer } from '../support/server.ts'

export const { definition } = readDefinitionFile('examples/glamour-salon.yaml')

/** A Thursday at 11:30 in New York. */
export const TOLD_AT = new Date('2026-11-19T16:30:00Z')

/** The server of the demo salon before its story is told. */
export async function demoSalon({ toldAt = TOLD_AT } = {}) {
  const server = await testServer()
  server.time.now = toldAt
  await addStaff(server.runtime.db, 'Owner', 'owner', toldAt)
  await openDemoSalon(server.runtime, definition)
  return { ...server, tell: (options?: Parameters<typeof tellStory>[1]) => tellStory(server.runtime, options) }
}
