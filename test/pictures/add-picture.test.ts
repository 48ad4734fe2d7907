import { expect, test } from 'vitest'
import { deleteUnusedPictures } from '../../src/domain/pictures/delete-unused-pictures.ts'
import { DAY } from '../../src/infra/time/time-units.ts'
import { studio } from '../desk/studio.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { animated, logo, photo, pngSaying, svg } from './picture-files.ts'

await onBothDesks(
  () => testShop(studio),
  (desk, shop) => {
    const { db } = shop.runtime
    const add = async (bytes: Buffer, use = 'service') =>
      desk.call('usp_business_pictures_add', { data: bytes.toString('base64'), use }, { as: shop.staff })
    const apply = (definition: string) => desk.call('usp_business_definition_apply', { definition }, { as: shop.staff })
    const definition = async (): Promise<string> =>
      (await desk.call('usp_business_definition_get', {}, { as: shop.staff })).data.definition
    const get = (url: string, headers = {}) => shop.raw({ method: 'GET', url: new URL(url).pathname, headers })

    test('[pictures] a picture that is added has an address, where it is served for good', async () => {
      const { data } = await add(await photo(2000, 1500))
      expect(data).toMatchObject({ width: 1600, height: 900 })
      expect(data.url).toMatch(/^https:\/\/127\.0\.0\.1:8080\/pictures\/[0-9a-f]{64}\.jpg$/)
      const { status, headers } = await get(data.url)
      expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
        200,
        'image/jpeg',
        'nosniff',
      ])
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['set-cookie']).toBeUndefined()
      const again = await get(data.url, { 'if-none-match': headers.etag ?? '' })
      expect([again.status, again.body]).toEqual([304, ''])
      const small = await get(data.url.replace('.jpg', '-small.jpg'))
      expect(small.status).toBe(200)
      expect(Number(small.headers['content-length'])).toBeLessThan(Number(headers['content-length']))
    })

    test('[pictures] what is not stored is not found, however it is asked for', async () => {
      const { data } = await add(await photo(2000, 1500))
      const { pathname } = new URL(data.url)
      const others = [
        '/pictures/',
        '/pictures/x.jpg',
        `/pictures/${'0'.repeat(64)}.jpg`,
        `/pictures/a%2F${pathname.slice(1)}`,
      ]
      for (const url of [...others, pathname.toUpperCase(), `${pathname}x`, pathname.replace('.jpg', '.svg')])
        expect([url, (await shop.raw({ method: 'GET', url })).status]).toEqual([url, 404])
      expect((await shop.raw({ method: 'POST', url: pathname })).status).toBe(405)
    })

    test('[pictures] the catalogue names the address of a picture', async () => {
      const { data } = await add(await photo(1000, 1000))
      const before = JSON.parse(
        (await desk.call('usp_business_definition_get', { format: 'json' }, { as: shop.staff })).data.definition,
      )
      before.services[0].media = [{ type: 'image', url: data.url }]
      await apply(JSON.stringify(before))
      const { id } = before.services[0]
      const { service } = (await desk.call('usp_services_get', { service_id: id })).data
      expect(service.media).toEqual([{ type: 'image', url: data.url }])
      await apply(JSON.stringify(studio))
    })

    test.each([
      ['no base64', 'not base64!', 'validation_error'],
      ['an SVG', svg.toString('base64'), 'validation_error'],
      ['a bomb', pngSaying(30_000, 30_000).toString('base64'), 'content_too_large'],
    ])('[pictures] %s is refused, and nothing is stored', async (_, data, code) => {
      const count = async () => (await db.selectFrom('pictures').select('digest').execute()).length
      const before = await count()
      const answer = await desk.call('usp_business_pictures_add', { data, use: 'logo' }, { as: shop.staff })
      expect(answer.code).toBe(code)
      expect(await count()).toBe(before)
    })

    test('[pictures] a moving picture is refused', async () => {
      expect(await add(await animated())).toMatchObject({ code: 'validation_error' })
    })

    test('[pictures] the same picture is stored once', async () => {
      const [one, other] = [await add(await logo(90, 30), 'logo'), await add(await logo(90, 30), 'logo')]
      expect(one.data.url).toBe(other.data.url)
      expect(one.data.url).toMatch(/\.png$/)
    })

    test('[pictures] at most 1,000 pictures are stored', async () => {
      const before = await db.selectFrom('pictures').select('digest').execute()
      const rows = Array.from({ length: 1_000 - before.length }, (_, nth) => ({
        digest: Buffer.alloc(32, `${nth}-`),
        ...{ type: 'image/png', width: 1, height: 1, content: Buffer.from('x'), created_at: shop.time.now },
      }))
      await db.insertInto('pictures').values(rows).execute()
      expect(await add(await logo(33, 33), 'logo')).toMatchObject({ code: 'invalid_transition' })
      await db.deleteFrom('pictures').where('width', '=', 1).execute()
    })

    test('[pictures] a picture is deleted 30 days after the definition named it last', async () => {
      const { data } = await add(await photo(500, 700))
      const named = `${await definition()}website:\n  logo: ${data.url}\n`
      const daysLater = async (days: number) => {
        shop.time.now = new Date(shop.time.now.getTime() + days * DAY)
        await deleteUnusedPictures(db, shop.time.now)
        return (await db.selectFrom('pictures').select('digest').execute()).some(({ digest }) =>
          data.url.includes(digest.toString('hex')),
        )
      }
      await apply(named)
      expect([await daysLater(1), await daysLater(40)]).toEqual([true, true])
      await apply(JSON.stringify(studio))
      expect([await daysLater(0), await daysLater(29)]).toEqual([true, true])
      // Named again, as by somebody who takes back a change: the days begin anew.
      await apply(named)
      expect(await daysLater(5)).toBe(true)
      await apply(JSON.stringify(studio))
      expect([await daysLater(0), await daysLater(29), await daysLater(2)]).toEqual([true, true, false])
      expect((await get(data.url.replace('.jpg', '-small.jpg'))).status).toBe(404)
    })
  },
)
