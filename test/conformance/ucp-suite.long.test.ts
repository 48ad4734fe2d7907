import { afterAll, expect, test } from 'vitest'
import { ucpChecks } from '../../packages/conformance/checks/ucp/all-ucp-checks.ts'
import { runChecks } from '../../packages/conformance/run/run-checks.ts'
import { startRun } from '../../packages/conformance/run/start-run.ts'
import { LONG_HOLD } from './short-holds.ts'
import { startUcpBusiness } from './ucp-business.ts'
import { type UcpFault, ucpFaults } from './ucp-faults.ts'

const business = await startUcpBusiness()
afterAll(() => business.stop())

/** Runs the checks of a UCP business, or of one rule over REST while the server has a fault. */
async function findings(fault?: UcpFault) {
  business.proxy.use(fault && { ...fault, only: [fault.rule] })
  const environment = await startRun(business.settings)
  const ofRule = ucpChecks.filter(({ rules }) => fault && rules.includes(fault.rule))
  const checks = fault ? ofRule.map((check) => ({ ...check, bindings: ['rest' as const] })) : ucpChecks
  try {
    const found = await runChecks(checks, environment, { atOnce: 2, onFinding: () => {} })
    return found.map(({ check: { title }, binding, result, reason }) => ({ title, binding, result, reason }))
  } finally {
    await environment.host.close()
  }
}

test('[conformance suite] proves each rule of UCP at our server, with a payment token', async () => {
  const unproven = (await findings()).filter(({ result }) => result !== 'proven')
  // The holds of this server are longer than the suite waits. ucp-holds.long.test.ts has shorter ones.
  expect(unproven.filter(({ reason }) => reason !== LONG_HOLD)).toEqual([])
}, 900_000)

test.each(ucpFaults.map((fault) => [fault.name, fault] as const))(
  '[conformance suite] finds a server that %s',
  async (_, fault) => {
    expect((await findings(fault)).map(({ result }) => result)).toContain('failed')
  },
)
