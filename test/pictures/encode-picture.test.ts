import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { encodePicture, PictureError } from '../../src/domain/pictures/encode-picture.ts'
import { MAX_STORED_BYTES, PICTURE_FORMATS } from '../../src/domain/pictures/picture-formats.ts'
import { animated, gif, logo, noise, photo, pngSaying, striped, svg } from './picture-files.ts'

const { service, person, logo: ofLogo } = PICTURE_FORMATS
const faultOf = (bytes: Buffer, maxMs?: number) =>
  encodePicture(bytes, service, maxMs).then(
    () => 'none',
    (error: unknown) => (error instanceof PictureError ? error.fault : String(error)),
  )
const dots = async (content: Buffer) => sharp(content).raw().toBuffer({ resolveWithObject: true })
const colourAt = async (content: Buffer, left: number, top: number) => {
  const { data, info } = await dots(content)
  const at = (Math.floor(top * info.height) * info.width + Math.floor(left * info.width)) * info.channels
  return [...data.subarray(at, at + 3)].map((one) => (one > 127 ? 1 : 0)).join('')
}

describe('[pictures] an uploaded picture is encoded again', () => {
  test('for a service, in two widths of 16:9', async () => {
    const { type, width, height, content, small } = await encodePicture(await photo(4000, 3000), service)
    expect([type, width, height]).toEqual(['image/jpeg', 1600, 900])
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width: 1600, height: 900 })
    expect(await sharp(small ?? '').metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 360 })
  })

  test('for a person, as a square around the middle', async () => {
    const { width, height, content, small } = await encodePicture(await striped(2000, 1000), person)
    expect([width, height, small]).toEqual([640, 640, null])
    const row = await Promise.all([0.1, 0.5, 0.9].map((left) => colourAt(content, left, 0.5)))
    expect(row).toEqual(['100', '010', '001'])
  })

  test('for a logo, in its own shape and with its transparency', async () => {
    const { type, width, height, content, small } = await encodePicture(await logo(960, 160), ofLogo)
    expect([type, width, height, small]).toEqual(['image/png', 480, 80, null])
    expect(await sharp(content).metadata()).toMatchObject({ format: 'png', hasAlpha: true })
  })

  test.each([
    [300, 300, [300, 169]],
    [100, 2000, [100, 56]],
    [1, 1, [1, 1]],
  ])('and never made larger: %i × %i', async (width, height, expected) => {
    const made = await encodePicture(await photo(width, height), service)
    expect([made.width, made.height]).toEqual(expected)
    expect(made.small).toBeNull()
  })

  test('upright, though the camera lay on its side', async () => {
    const { width, height } = await encodePicture(await photo(900, 1600, 6), service)
    expect([width, height]).toEqual([1600, 900])
  })

  test('without its place, its author and all that was beside it', async () => {
    const bytes = await photo()
    expect(bytes.includes('Ada Secret')).toBe(true)
    expect((await sharp(bytes).metadata()).exif?.length).toBeGreaterThan(50)
    const { content } = await encodePicture(Buffer.concat([bytes, Buffer.from('<script>PK\x03\x04')]), service)
    const { exif, icc, xmp, iptc } = await sharp(content).metadata()
    expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined])
    for (const hidden of ['Ada Secret', '<script>', 'PK\x03\x04']) expect(content.includes(hidden)).toBe(false)
  })

  test('small enough to be stored, also if nothing of it can be left out', async () => {
    const { content, small } = await encodePicture(await noise(1600, 1000), service)
    expect(content.length).toBeLessThanOrEqual(MAX_STORED_BYTES)
    expect(small?.length).toBeLessThanOrEqual(MAX_STORED_BYTES)
  })

  test('to the same bytes each time, so that the same picture has one address', async () => {
    const bytes = await striped(800, 800)
    const [one, other] = [await encodePicture(bytes, service), await encodePicture(bytes, service)]
    expect(one.digest.equals(other.digest)).toBe(true)
  })
})

describe('[pictures] what is no picture is refused', () => {
  test.each([
    ['SVG', svg],
    ['GIF', gif],
    ['PDF', Buffer.from('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>')],
    ['HTML', Buffer.from('<!doctype html><img src=x onerror=alert(1)>')],
    ['a JPEG by its first bytes only', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(5_000, 7)])],
    ['a PNG with too few pixels', pngSaying(2_000, 2_000, Buffer.alloc(100))],
    ['noise', Buffer.from(Array.from({ length: 3_000 }, (_, nth) => (nth * 7919) % 251))],
  ])('%s', async (_, bytes) => {
    expect(await faultOf(bytes)).toBe('unreadable')
  })

  test('a file that ends too early', async () => {
    for (const whole of [
      await striped(1200, 900),
      await sharp(await striped(1200, 900))
        .webp()
        .toBuffer(),
      await noise(300, 300),
    ])
      expect(await faultOf(whole.subarray(0, Math.floor(whole.length / 2)))).toBe('unreadable')
  })

  test('a moving picture', async () => {
    expect(await faultOf(await animated())).toBe('animated')
  })

  test.each([
    [30_000, 30_000],
    [7_100, 7_100],
    [1_000_000, 51],
  ])('a bomb of %i × %i pixels, before it is unpacked', async (width, height) => {
    const bomb = pngSaying(width, height)
    expect(bomb.length).toBeLessThan(10_000)
    expect(await faultOf(bomb)).toBe('too_many_pixels')
  })

  test('what takes too long', async () => {
    expect(await faultOf(await photo(), 1)).toBe('unreadable')
  })
})

test('[pictures] no process is left behind, and none of them knows the settings of the server', async () => {
  process.env.USP_TEST_SECRET = 'only the server knows this'
  const encoding = encodePicture(await photo(3000, 2000), service)
  const seen: string[] = []
  const encoders = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter(
        (pid) =>
          readOf(`/proc/${pid}/cmdline`).includes('picture-encoder') &&
          readOf(`/proc/${pid}/stat`).includes(` ${process.pid} `),
      )
  await expect.poll(() => encoders().length).toBe(1)
  for (const pid of encoders()) seen.push(readOf(`/proc/${pid}/environ`))
  await encoding
  expect(seen.join()).not.toContain('only the server knows this')
  await expect.poll(() => encoders().length).toBe(0)
})

const readOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
