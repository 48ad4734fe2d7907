import { expect, test } from 'vitest'
import { insertAuditEntries, insertAuditEntry } from '../../src/core/records/audit-log.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const { runtime, time } = await testServer(businessWith([service('svc_a')]))
const entry = (actor: string) => ({ actor, action: 'cancel', subject: `of ${actor}`, from: null, to: null })

test('[the audit log] names the program that signed the request, but not for what the server does itself', async () => {
  await runtime.makeChange(async (tx) => {
    tx.agent = 'agent.example'
    insertAuditEntry(tx, entry('buyer'), time.now)
    insertAuditEntry(tx, entry('system'), time.now)
    await insertAuditEntries(tx, [entry('staff:1')], time.now)
  })
  const rows = await runtime.db
    .selectFrom('changes')
    .select(['actor', 'detail'])
    .where('action', '=', 'cancel')
    .execute()
  expect(Object.fromEntries(rows.map(({ actor, detail }) => [actor, detail]))).toEqual({
    buyer: { agent: 'agent.example' },
    system: {},
    'staff:1': { agent: 'agent.example' },
  })
})
