import { expect, test } from 'vitest'
import { verify } from '../../../src/core/ledger/verify-ledger.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, platform } = await deskSalon()
const [owner, viewer] = [await signedIn('owner'), await signedIn('viewer')]
const DAY = '2026-11-26'
const time = { from: `${DAY}T00:00`, to: `${DAY}T23:59` }
const starts = async (service: string) => platform.slots(service, { start_date: DAY, end_date: DAY })

test('the business is closed for a day, and opened again: everybody is one line', async () => {
  expect((await owner.open('/desk/blocks')).body).toContain('<option value="*">')
  expect(await starts('svc_auto')).not.toEqual([])
  const form = await owner.open(`/desk/away?${new URLSearchParams({ with: '*', ...time })}`)
  expect(form.status).toBe(200)
  await owner.send('/desk/away', { with: '*', ...time, reason: 'Holiday' })
  expect(await starts('svc_auto')).toEqual([])
  const { body } = await owner.open('/desk/blocks')
  expect(body.match(/Holiday/g)).toHaveLength(1)
  const blocks = [...body.matchAll(/name="block" value="([\w-]+)"/g)].map(([, id = '']) => id)
  expect(blocks.length).toBeGreaterThan(2)
  expect((await viewer.send('/desk/blocks', { block: blocks[0] ?? '' })).status).toBe(403)
  for (const block of [...blocks, 'blk_none']) await owner.send('/desk/blocks', { block })
  expect(await starts('svc_auto')).not.toEqual([])
  expect((await owner.open('/desk/blocks')).body).not.toContain('name="block"')
  expect((await verify(shop.runtime.db, shop.time.now)).findings.count).toBe(0)
})

test('one place is closed, and the other stays open', async () => {
  await owner.send('/desk/away', { with: 'at:loc_there', ...time })
  expect((await owner.open('/desk/away?with=at:loc_none')).status).toBe(404)
  expect(await starts('svc_auto')).not.toEqual([])
})

test('a viewer sees what is blocked and can press nothing', async () => {
  const [, main = ''] = (await viewer.open('/desk/blocks')).body.split('<main')
  expect(main).not.toMatch(/<button|<select/)
})
