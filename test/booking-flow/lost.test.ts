import { expect, test } from 'vitest'
import { testShop } from '../support/desk.ts'
import { salon, visitor } from './visitor.ts'

const lookAround = async (website: { enabled?: boolean }) => visitor(await testShop(salon({ website })))

test.each([
  [true, '/book/svc_none'],
  [true, '/book/svc_haircut/details?hold=hold_x&visit=y'],
  [false, '/book'],
  [false, '/book/svc_haircut'],
])('[a page that does not exist] where people can book (%s), %s leads to what there is', async (enabled, url) => {
  const { status, body } = await (await lookAround({ enabled })).open(url)
  expect(status).toBe(404)
  expect(body.includes('<a class="way" href="/book">')).toBe(enabled)
})
