import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { START, serverWithAllInterfaces } from '../support/server.ts'
import { type Binding, call, type Shown } from './callers.ts'

test('[BSC-037] no secret that was used stands in the log, in an answer to a refusal, in the metrics or in the database', async () => {
  const server = await serverWithAllInterfaces(businessWith([service('svc_a')]))
  const { db } = server.runtime
  const signing = testKey('ES256')
  const proving = testKey()
  const platform = await testPlatform({ keys: [{ ...signing.jwk, kid: 'k1' }] })
  const client = await addClient(db, 'Known platform', START)
  const staff = await addStaff(db, 'Jo', 'owner', START)
  const scoped = `bsc_${'s'.repeat(43)}`
  const wrong = `usk_${'w'.repeat(43)}`
  const shown: Shown[] = [
    { now: START, platform, bearer: client.key },
    { now: START, platform, bearer: wrong },
    { now: START, platform, bearer: staff },
    { now: START, platform, bearer: scoped },
    { now: START, platform, signature: { key: signing, keyid: 'k1' } },
    { now: START, platform, signature: { key: signing, keyid: 'k9' } },
    { now: START, platform, proof: { key: proving } },
    { now: START, platform, proof: { key: proving, claims: { jti: 'once-only-jti' } } },
    { now: START, platform, proof: { key: proving, claims: { jti: 'once-only-jti' } } },
    { now: START, platform, proof: { key: proving, text: 'secret.garbage.proof' } },
  ]
  const answers: unknown[] = []
  for (const binding of ['REST', 'MCP'] satisfies Binding[])
    for (const operation of operations)
      for (const one of shown)
        answers.push(
          await call(
            server,
            binding,
            operation,
            { service_id: 'svc_a', ids: ['svc_a'], callback_url: 'https://127.0.0.1/' },
            one,
          ),
        )

  const metrics = await server.app.inject('/metrics')
  const tables = await Promise.all(
    (['staff', 'clients', 'api_keys', 'signing_keys', 'replies', 'principals', 'scoped_credentials'] as const).map(
      (table) => db.selectFrom(table).selectAll().execute(),
    ),
  )
  const written = {
    log: server.logged.join(''),
    answers: JSON.stringify(answers),
    metrics: metrics.body,
    tables: JSON.stringify(tables),
  }
  expect(written.log.length).toBeGreaterThan(1000)

  const privateParts = [signing, proving].map((key) => String(key.private.export({ format: 'jwk' }).d))
  const secrets = [client.key, wrong, staff, scoped, 'secret.garbage.proof', 'once-only-jti', ...privateParts]
  for (const [place, text] of Object.entries(written))
    for (const secret of secrets) expect(text.includes(secret), `${secret.slice(0, 8)}… in the ${place}`).toBe(false)
})
