import { describe, expect, test } from 'vitest'
import { joinWaitlist } from '../../src/domain/waitlist/join-waitlist.ts'
import { callAsVisitor } from '../../src/pipeline/call-operation-from-page.ts'
import { testShop } from '../support/desk.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const shop = await testShop(salon())
const browser = visitor(shop)
const page = await browser.open('/book/svc_haircut')
const address = (await browser.press(page, browser.times(page)[0]?.time ?? '')).headers.location ?? ''

describe('[an address that no operation takes] is told at its field, and what was written stays', () => {
  test.each([
    'info@müller.de',
    'josé@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a@example..com',
    'a,b@example.com',
  ])('%s', async (email) => {
    const { status, body } = await browser.fill(address, { ...ROSA, email, notes: 'The side door' })
    expect(status).toBe(422)
    expect(body).toContain(`value="${email}" required aria-invalid="true"`)
    expect(body).toContain('The side door')
    expect(body).toContain('role="alert"><a href="#email">Please check your email address.</a></div>')
    expect(body).toContain(`value="${ROSA.last_name}"`)
  })
})

test('[several invalid fields] are listed, each with a link and what is wrong with it', async () => {
  const { body } = await browser.fill(address, { ...ROSA, first_name: '', email: 'rosa' })
  expect(body).toContain('role="alert">Please check these fields:<ul><li><a href="#first_name">First name</a>: ')
  expect(body).toContain('<li><a href="#email">Email address</a>: Please enter an email address, such as')
})

test.each(['\u3164', '\u200b\u2060', '\u{e0053}'])(
  '[invisible text] a last name of %j is missing',
  async (last_name) => {
    const { status, body } = await browser.fill(address, { ...ROSA, last_name })
    expect(status).toBe(422)
    expect(body).toMatch(/<input [^>]*name="last_name"[^>]* aria-invalid="true"/)
  },
)

test('[whatever a schema refuses] comes back to the page as a refusal, which shows its form again', async () => {
  const input = {
    service_id: 'svc_yoga',
    buyer: { first_name: 'Rosa', last_name: 'D\u0000', email: 'a..b@example.com' },
  }
  const visit = { visitor: 'visit_x', peer: { address: '203.0.113.9' } }
  for (const buyer of [input.buyer, { ...input.buyer, last_name: 'Díaz' }])
    expect(await callAsVisitor(joinWaitlist, { ...input, buyer }, visit, shop.runtime)).toMatchObject({
      refusal: { type: 'error', code: 'validation_error', path: expect.stringMatching(/^\$\.buyer\./) },
    })
})
