import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { studio } from '../desk/studio.ts'
import { photo, striped } from '../pictures/picture-files.ts'
import { receptionist } from './at-desk.ts'
import { hasBrowser } from './chromium.ts'
import { mouse } from './hands.ts'
import { openShop } from './open-shop.ts'

describe.runIf(hasBrowser)('[pictures] in a real browser', async () => {
  const shop = await openShop(studio)
  const { db, business } = shop.runtime
  const look = { viewport: { width: 1280, height: 900 } }
  const jo = await receptionist(shop, { hand: mouse, look })
  const { page } = jo
  const path = `${shop.url}/desk/setup/services/svc_cut/picture`
  const file = (buffer: Buffer) => ({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer })
  const save = () => Promise.all([page.waitForURL(/\?saved$/), page.getByRole('button', { name: 'Save' }).click()])
  const latest = async () => {
    const definition = await business.seenBy(db)
    const url = definition?.services.find(({ id }) => id === 'svc_cut')?.media?.[0]?.url ?? ''
    const { rawPayload } = await shop.inject({ method: 'GET', url: new URL(url).pathname })
    return sharp(rawPayload)
  }
  /** The colours at the left edge, in the middle and at the right edge: 100 is red, 010 green, 001 blue. */
  const colours = async () => {
    const { data, info } = await (await latest()).raw().toBuffer({ resolveWithObject: true })
    return [0.02, 0.5, 0.98].map((left) => {
      const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width * left)) * info.channels
      return [...data.subarray(at, at + 3)].map((one) => (one > 127 ? 1 : 0)).join('')
    })
  }

  test('the staff choose the part of a picture with the sliders, and see it before', async () => {
    await page.goto(path)
    const preview = page.locator('canvas')
    expect(await preview.isVisible()).toBe(false)
    await page.setInputFiles('#picture', file(await striped(3200, 1800)))
    await preview.waitFor()
    await page.getByLabel('Zoom').fill('100')
    await page.getByLabel('Horizontal position').fill('0')
    await save()
    expect(await colours()).toEqual(['100', '100', '100'])
    expect(await (await latest()).metadata()).toMatchObject({ width: 800, height: 450 })
    await page.locator('.picture-link img').waitFor()
  })

  test('or by dragging the picture', async () => {
    await page.goto(path)
    await page.setInputFiles('#picture', file(await striped(3200, 1800)))
    const preview = page.locator('canvas')
    await preview.waitFor()
    await page.getByLabel('Zoom').fill('100')
    const box = await preview.boundingBox()
    if (!box) throw new Error('There is no preview')
    await page.mouse.move(box.x + box.width - 5, box.y + box.height / 2)
    await page.mouse.down()
    for (let nth = 0; nth < 4; nth++) {
      await page.mouse.move(box.x + 5, box.y + box.height / 2, { steps: 5 })
      await page.mouse.up()
      await page.mouse.move(box.x + box.width - 5, box.y + box.height / 2)
      await page.mouse.down()
    }
    await page.mouse.up()
    await save()
    expect((await colours()).at(-1)).toBe('001')
  })

  test('the browser sends the part only, without the data of the photo', async () => {
    await page.goto(path)
    await page.setInputFiles('#picture', file(await photo(3000, 2000)))
    await page.locator('canvas').waitFor()
    // The script submits the form a second time, with what it has drawn. A file that was drawn has no other data.
    await page.evaluate(`addEventListener('submit', ({ defaultPrevented, target }) => {
      const { name, type, size } = target.picture.files[0]
      if (!defaultPrevented) sessionStorage.sent = [name, type, size > 0]
    })`)
    await save()
    expect(await page.evaluate('sessionStorage.sent')).toBe('picture.jpg,image/jpeg,true')
  })

  test('a file that is no picture shows no preview, and the server says what is wrong', async () => {
    await page.goto(path)
    await page.setInputFiles('#picture', { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('none') })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.locator('#picture-error').innerText()).toContain('cannot be read as a picture')
    expect(await page.locator('canvas').isVisible()).toBe(false)
  })

  test('without scripts, the server cuts the picture around its centre', async () => {
    const { cookies } = await page.context().storageState()
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false, ignoreHTTPSErrors: true })
    if (!context) throw new Error('There is no browser')
    await context.addCookies(cookies)
    const plain = await context.newPage()
    await plain.goto(path)
    expect(await plain.locator('canvas').isVisible()).toBe(false)
    await plain.setInputFiles('#picture', file(await striped(6400, 900)))
    await Promise.all([plain.waitForURL(/\?saved$/), plain.locator('button[value=save]').click()])
    expect(await (await latest()).metadata()).toMatchObject({ width: 1600, height: 900 })
    expect(await colours()).toEqual(['100', '010', '001'])
    await plain.goto(`${shop.url}/book/svc_cut`)
    expect(await plain.locator('.picture img').evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
    await context.close()
  })
})
