import { expect, test } from 'vitest'
import { endOfQuietHours } from '../../src/core/texts/quiet-hours.ts'

const overnight = { quiet_from: '21:00', quiet_until: '08:00' }
const atNoon = { quiet_from: '12:00', quiet_until: '13:30' }

test.each([
  [overnight, 'Europe/Berlin', '2026-12-01T19:59:59Z', undefined],
  [overnight, 'Europe/Berlin', '2026-12-01T20:00:00Z', '2026-12-02T07:00:00.000Z'],
  [overnight, 'Europe/Berlin', '2026-12-02T06:59:59Z', '2026-12-02T07:00:00.000Z'],
  [overnight, 'Europe/Berlin', '2026-12-02T07:00:00Z', undefined],
  [overnight, 'America/New_York', '2026-12-02T04:00:00Z', '2026-12-02T13:00:00.000Z'],
  // The night of a clock change is an hour shorter or longer.
  [overnight, 'Europe/Berlin', '2026-03-28T20:30:00Z', '2026-03-29T06:00:00.000Z'],
  [overnight, 'Europe/Berlin', '2026-10-24T19:30:00Z', '2026-10-25T07:00:00.000Z'],
  // 02:30 does not exist on this day.
  [{ quiet_from: '22:00', quiet_until: '02:30' }, 'Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T01:00:00.000Z'],
  [atNoon, 'UTC', '2026-12-01T11:59:00Z', undefined],
  [atNoon, 'UTC', '2026-12-01T12:00:00Z', '2026-12-01T13:30:00.000Z'],
  [atNoon, 'UTC', '2026-12-01T13:30:00Z', undefined],
  [{ quiet_from: null, quiet_until: null }, 'UTC', '2026-12-01T03:00:00Z', undefined],
  [{ quiet_from: '08:00', quiet_until: '08:00' }, 'UTC', '2026-12-01T08:00:00Z', undefined],
])('[quiet hours] %j in %s at %s end at %s', (hours, zone, now, end) => {
  expect(endOfQuietHours(hours, zone, new Date(now))?.toISOString()).toBe(end)
})

test('[quiet hours] in the hour that clocks show twice, they last until the end comes the second time', () => {
  const hours = { quiet_from: '22:00', quiet_until: '02:30' }
  const end = (now: string) => endOfQuietHours(hours, 'Europe/Berlin', new Date(now))?.toISOString()
  // 02:15 comes at 00:15Z and at 01:15Z.
  expect(end('2026-10-25T00:15:00Z')).toBe('2026-10-25T00:30:00.000Z')
  expect(end('2026-10-25T01:15:00Z')).toBe('2026-10-25T01:16:00.000Z')
  expect(end('2026-10-25T01:30:00Z')).toBeUndefined()
})
