import { expect, test } from 'vitest'
import type { Loss } from './losses.ts'
import { average, type Recovery, recoveryOf, summary, tooSlow } from './recovery.ts'
import { dueOn } from './turns.ts'
import { ratesOutside } from './witness-rates.ts'

const loss: Loss = { name: 'PostgreSQL of the primary' }
const attempt = (at: number, status: number, took = 100) => ({ at, took, status })
const times = { beganAt: 9_000, lostAt: 10_000, overAt: 10_000, promotedAt: 14_000, wholeAt: 18_000, isRewound: false }
const write = (began: number, ended: number) => ({ began, ended })
const writes = [write(9_900, 9_950), write(14_000, 14_500), write(14_700, 14_750)]
const attempts = [
  attempt(9_500, 201),
  attempt(10_000, 503, 700),
  attempt(11_000, 503, 4_000),
  attempt(14_800, 201, 200),
  attempt(15_000, 201, 300),
]

test('[what a loss is like] is counted from the loss, and the first booking from the promotion, too', () => {
  const recovery = recoveryOf(loss, attempts, writes, times)
  expect(recovery).toEqual({
    loss,
    refused: 0.7,
    slowestNo: 4,
    slowestYes: 0.3,
    promoted: 4,
    writable: 4.5,
    booked: 5,
    sincePromotion: 1,
    own: 0.5,
    isRewound: false,
    down: { from: 9_000, until: 18_000 },
  })
  expect(summary(recovery)).toContain('told to try again after 0.7 s')
  expect(summary(recovery)).toContain('from promotion to booking 1.0 s')
  expect(average([recovery])).toContain('from promotion to booking 1.0 s')
})

test('[what a loss is like] is not told by a write that slips through before nobody can', () => {
  const slipped = write(10_050, 10_100)
  expect(recoveryOf(loss, attempts, [slipped, ...writes.slice(1)], times)).toMatchObject({ writable: 4.5, own: 0.5 })
  // What somebody without a server could not do either is no server's part.
  expect(recoveryOf(loss, attempts, [slipped, write(14_000, 15_100)], times)).toMatchObject({ own: 0 })
  expect(
    recoveryOf(loss, attempts, [write(13_000, 13_100), write(13_500, 14_000), ...writes.slice(1)], times),
  ).toMatchObject({
    writable: 3.1,
    own: 1.9,
  })
  // A moment in which nobody can does not hide what servers took before it.
  const early = [write(10_100, 10_500), write(10_500, 11_300), write(11_300, 12_100), write(13_000, 15_200)]
  expect(recoveryOf(loss, attempts, early, times)).toMatchObject({ own: 1.6 })
})

const good = recoveryOf(loss, attempts, writes, times)
const silent = { ...good, loss: { ...loss, isSilent: true } }
const living = { ...good, loss: { ...loss, isSilent: true, livesOn: true } }
const unfollowed = { ...good, loss: { ...loss, takesLastStandby: true } }
const lasting = { ...good, loss: { ...loss, untilOver: async () => {} } }
const threeOf = (one: Recovery, more: Partial<Recovery>) => [good, { ...one, ...more }, { ...one, ...more }]

test.each([
  ['nothing', [good], []],
  ['one that is slow among those that are not', [good, good, { ...good, booked: 60 }], []],
  [
    'one in which somebody waits',
    [good, good, { ...good, slowestNo: 6.1 }],
    [`${loss.name}: somebody waited for 6.1 s, not 6.0 s`],
  ],
  [
    'one that is slow to say yes',
    [good, { ...good, slowestYes: 8 }],
    [`${loss.name}: somebody waited for 8.0 s, not 6.0 s`],
  ],
  ['a primary that waits for a standby', [good, good, { ...living, slowestNo: 15 }], []],
  [
    'one that waits for ever',
    [good, good, { ...living, slowestNo: 21 }],
    [`${loss.name}: somebody waited for 21.0 s, not 20.0 s`],
  ],
  [
    'bookings',
    threeOf(good, { booked: 10.1 }),
    ['from the loss to a booking: 10.1 s, not 10.0 s', 'from a loss that is heard of to a booking: 10.1 s, not 10.0 s'],
  ],
  [
    'booking after silence',
    [good, good, good, ...threeOf(silent, { booked: 31 })],
    ['from a silent loss to a booking: 31.0 s, not 30.0 s'],
  ],
  [
    'what has room again',
    threeOf(lasting, { booked: 10.1 }),
    ['from when there is room to a booking: 10.1 s, not 10.0 s'],
  ],
  ['the servers', threeOf(good, { own: 2.1 }), ["the servers' own part: 2.1 s, not 2.0 s"]],
  ['one of the servers', [good, good, { ...good, own: 2.1 }], ["the servers' own part: 2.1 s, not 2.0 s"]],
  ['one promotion', [good, good, { ...good, sincePromotion: 5.1 }], ['from promotion to booking: 5.1 s, not 5.0 s']],
  ['a promotion without a standby', threeOf(unfollowed, { sincePromotion: 6 }), []],
  ['one whose standby is rewound', threeOf(good, { isRewound: true, sincePromotion: 6 }), []],
  [
    'one that waits for a standby for long',
    [good, good, { ...unfollowed, sincePromotion: 10.1 }],
    ['from a promotion without a standby: 10.1 s, not 10.0 s'],
  ],
  ['refusals', threeOf(good, { slowestNo: 5.6 }), ['the longest wait for a no: 5.6 s, not 5.5 s']],
  [
    'telling that something is wrong',
    threeOf(good, { refused: 1.1 }),
    ['from a loss that is heard of to being told to try again: 1.1 s, not 1.0 s'],
  ],
  ['telling what nobody hears of', threeOf(silent, { refused: 5 }), []],
  ['being told that there is no room', threeOf(lasting, { refused: 20, slowestNo: 17 }), []],
])('[what a loss is like] where %s is slow, it says so', (_, recoveries, slow) => {
  expect(tooSlow(recoveries)).toEqual(slow)
})

test('[what was asked for] is counted where nothing was lost, with the turns that were left out', () => {
  const every = (from: number, until: number) =>
    Array.from({ length: (until - from) / 10 }, (_, turn) => from + turn * 10)
  const begun = [...every(0, 4_000), ...every(6_000, 7_000)]
  const witness = { begun, attempts: begun.map((at) => attempt(at, at < 2_000 ? 503 : 201, 5)) }
  expect(ratesOutside(witness, { from: 0, until: 7_000 }, [{ from: 4_000, until: 6_000 }])).toEqual({
    attempted: 100,
    acknowledged: 60,
  })
  expect(ratesOutside(witness, { from: 0, until: 8_000 }, []).attempted).toBe(62.5)
})

test('[each loss in its turn] two a day meet all of them', () => {
  const DAY = 86_400_000
  for (const count of [7, 9]) {
    const met = Array.from({ length: count }, (_, day) => dueOn(new Date(day * DAY), 2, count)).flatMap((first) => [
      ...[first, (first + 1) % count],
    ])
    expect(new Set(met).size).toBe(count)
  }
})
