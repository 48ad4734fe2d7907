import { expect, test } from 'vitest'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, person } = await deskSalon()

test('[as an app] each page of the desk names the manifest, and the manifest names the business', async () => {
  const staff = await signedIn('staff')
  for (const page of ['/desk', '/desk/inbox'])
    expect((await staff.open(page)).body).toContain('<link rel="manifest" href="/desk/app.webmanifest">')
  const { status, headers, body } = await person().open('/desk/app.webmanifest')
  expect([status, headers['content-type']]).toEqual([200, 'application/manifest+json; charset=utf-8'])
  expect(body).toMatchObject({
    name: 'Test Studio – Calendar',
    short_name: 'Test Studio',
    start_url: '/desk',
    scope: '/desk',
    display: 'standalone',
    icons: [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }],
  })
  expect((await shop.raw({ url: '/favicon.svg' })).headers['content-type']).toBe('image/svg+xml')
})

test('[as an app] the worker may see every page of the desk, and is always asked for anew', async () => {
  const { status, headers } = await person().open('/desk/worker.js')
  expect([status, headers['service-worker-allowed']]).toEqual([200, '/desk'])
  expect(headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'")
  expect(headers['cache-control']).toBe('public, max-age=0')
})

test('[as an app] the page for a device without a connection tells nobody anything, and needs no sign-in', async () => {
  const staff = await signedIn('owner')
  for (const one of [person(), staff]) {
    const { status, body } = await one.open('/desk/offline', { 'accept-language': 'de' })
    expect([status, body.includes('Sie sind offline'), body.includes('<nav')]).toEqual([200, true, false])
  }
})
