import { openDemoSalon } from '../../src/cli/demo/create-demo-salon.ts'
import { makeDemoData } from '../../src/cli/demo/make-demo-data.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { readDefinitionFile } from '../../src/domain/definition/read-definition.ts'
import { testServer } from '../support/server.ts'

export const { definition } = readDefinitionFile('examples/glamour-salon.yaml')

/** A Thursday at 11:30 in New York. */
export const BEGUN_AT = new Date('2026-11-19T16:30:00Z')

/** The server of the demo salon without demo data. */
export async function demoSalon({ begunAt = BEGUN_AT } = {}) {
  const server = await testServer()
  server.time.now = begunAt
  await addStaff(server.runtime.db, 'Owner', 'owner', begunAt)
  await openDemoSalon(server.runtime, definition)
  return { ...server, fill: (options?: Parameters<typeof makeDemoData>[1]) => makeDemoData(server.runtime, options) }
}
