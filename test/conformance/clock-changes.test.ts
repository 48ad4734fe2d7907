import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { clockChangeChecks } from '../../packages/conformance/checks/core/clock-changes.ts'
import type { RunEnvironment } from '../../packages/conformance/run/check-context.ts'
import { runChecks } from '../../packages/conformance/run/run-checks.ts'
import { Target } from '../../packages/conformance/target/target.ts'

/** Free slots in Auckland, during which its clocks go forward, and later ones that the checks query far ahead. */
const starts = ['2026-09-26T13:30:00Z', '2026-10-02T13:30:00Z', '2026-10-03T13:30:00Z']
const HOUR = 3_600_000
const service = { id: 'svc', type: 'appointment', policies: { booking_window: { max_advance: 'P60D' } } }

interface Query {
  start_date: string
  end_date: string
  timezone?: string
}

/** Writes an instant with the offset of a timezone, such as +12:00. */
function inZone(instant: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(instant)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const offset = name === 'GMT' ? '+00:00' : name.replace('GMT', '')
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  const shift = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
  return new Date(instant + shift).toISOString().replace('.000Z', offset)
}

type Fault = (slot: { start: string; end: string; duration: string }) => object

function slotsOf({ start_date, end_date, timezone = 'America/New_York' }: Query, fault: Fault) {
  const [from, until] = [Date.parse(start_date), Date.parse(end_date)]
  return starts.map(Date.parse).flatMap((start, nth) => {
    if (start < from || start >= until + 24 * HOUR) return []
    const [first, last] = [start, start + HOUR].map((instant) => inZone(instant, timezone))
    const slot = { start: first ?? '', end: last ?? '', duration: 'PT1H' }
    return [{ id: `slot_${nth}`, service_id: 'svc', state: 'available', ...slot, ...fault(slot) }]
  })
}

const closing: (() => unknown)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

async function resultsWith(now: string, fault: Fault = () => ({})) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(JSON.stringify({ usp: {}, service_id: 'svc', slots: slotsOf(JSON.parse(body), fault) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const binding = { transport: 'rest', endpoint: origin, version: '2026-08-20' }
  const target = new Target(origin, {
    usp: {
      services: { 'dev.usp-protocol.services': [binding] },
      capabilities: { 'dev.usp-protocol.services.availability': [{}] },
      business: { timezone: 'America/New_York' },
    },
  })
  const environment = { target, services: [service] } as unknown as RunEnvironment
  const findings = await runChecks(clockChangeChecks, environment, { atOnce: 1, onFinding: () => {} })
  return findings.map(({ result, reason }) => [result, reason])
}

const WEEKS_BEFORE = '2026-09-01T12:00:00Z'

test('[conformance suite] proves the vector flow/103 with a slot during which the clocks go forward', async () => {
  expect(await resultsWith(WEEKS_BEFORE)).toEqual([
    ['proven', undefined],
    ['proven', undefined],
  ])
})

test.each<[string, Fault, string]>([
  ['keeps one offset for the whole day', ({ end }) => ({ end: end.replace('+13:00', '+12:00') }), 'the instants'],
  ['reckons the duration between clock readings', () => ({ duration: 'PT2H' }), 'the milliseconds of the duration'],
])('[conformance suite] finds a server that %s', async (_, fault, reason) => {
  const [, second] = await resultsWith(WEEKS_BEFORE, fault)
  expect(second).toEqual(['failed', expect.stringContaining(reason)])
})

test('[conformance suite] skips the vector flow/103 if no clocks change during a free slot', async () => {
  const [, second] = await resultsWith('2026-12-01T12:00:00Z')
  expect(second).toEqual(['skipped', 'No timezone changes its clocks during a free slot.'])
})
