/**
 * Measures how long a platform reads the whole catalogue feed of a thousand services, and how many bytes it gets, with
 * the bitmaps of the availability hints and without them. The people have bookings, so the bitmaps differ.
 */
import { setTimeout as pass } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { checkTarget } from './support/check-target.ts'
import { median } from './support/load.ts'
import { business, service, staff } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const SERVICES = Number(process.env.BENCH_SERVICES ?? 1_000)
const PEOPLE = 50
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const MOST_HINT_BYTES = 2_000

const services = Array.from({ length: SERVICES }, (_, number) =>
  service(`svc_${number}`, staff(3, 1 + (number % (PEOPLE - 2)))),
)
const stage = await openStage()
try {
  const { origin, db } = await stage.serve('feed', business(services, PEOPLE))
  const hints = async () => {
    const { rows } = await db.query(`
      select count(body -> 'availability_hint' -> 'slot_bitmaps')::integer as count,
        max(octet_length((body -> 'availability_hint')::text)) as longest from services`)
    return rows[0]
  }
  const end = performance.now() + 600_000
  while ((await hints()).count < SERVICES) {
    if (performance.now() > end) throw new Error('The server has not made all hints within ten minutes')
    await pass(200)
  }
  const { longest } = await hints()
  const withBitmaps = await measured()
  await db.query(`update services set body = (body::jsonb #- '{availability_hint,slot_bitmaps}')::json`)
  const without = await measured()
  for (const [name, { ms, bytes, packed }] of Object.entries({ 'with bitmaps': withBitmaps, without }))
    console.log(`${name}: ${ms.toFixed(0)} ms, ${kilo(bytes)} kB, ${kilo(packed)} kB compressed`)
  checkTarget('the longest hint', longest, { atMost: MOST_HINT_BYTES }, 'bytes')
  checkTarget(
    'time of the whole feed, with bitmaps beside without',
    withBitmaps.ms / without.ms,
    { atMost: 1.5 },
    'times',
  )
  checkTarget(
    'bytes of the whole feed, with bitmaps beside without',
    withBitmaps.bytes / without.bytes,
    { atMost: 1.5 },
    'times',
  )

  async function measured() {
    const rounds: { ms: number; text: string }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const begun = performance.now()
      const text = await wholeFeed(origin)
      // The first round is only a warm-up.
      if (round > 0) rounds.push({ ms: performance.now() - begun, text })
    }
    const text = rounds[0]?.text ?? ''
    return { ms: median(rounds.map(({ ms }) => ms)), bytes: Buffer.byteLength(text), packed: gzipSync(text).length }
  }
} finally {
  await stage.close()
}

async function wholeFeed(origin: string): Promise<string> {
  const pages: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const answer: Response = await fetch(
      `${origin}/usp/v1/services/feed?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`The feed answered ${answer.status}: ${text}`)
    pages.push(text)
    const { pagination } = JSON.parse(text)
    cursor = pagination.has_more ? pagination.next_cursor : undefined
  }
  return pages.join('\n')
}

function kilo(bytes: number): string {
  return (bytes / 1000).toFixed(0)
}
