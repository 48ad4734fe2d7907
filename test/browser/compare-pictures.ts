import sharp from 'sharp'

/** A pixel differs if one of its channels differs by more than this number (of 255). */
const MOST_CHANNEL_DIFFERENCE = 24

export interface Comparison {
  /** How many pixels differ. Undefined if the pictures have different sizes. */
  pixels: number | undefined
  /** The current picture, with the different pixels in red. */
  marked: Buffer
}

export async function comparePictures(stored: Buffer, current: Buffer): Promise<Comparison> {
  const [before, now] = await Promise.all([pixelsOf(stored), pixelsOf(current)])
  const { width, height, channels } = now.info
  if (before.info.width !== width || before.info.height !== height) return { pixels: undefined, marked: current }
  let pixels = 0
  for (let at = 0; at < now.data.length; at += channels) {
    const differs = [0, 1, 2].some(
      (channel) => Math.abs((before.data[at + channel] ?? 0) - (now.data[at + channel] ?? 0)) > MOST_CHANNEL_DIFFERENCE,
    )
    if (!differs) continue
    pixels++
    now.data.set([255, 0, 0], at)
  }
  const marked = await sharp(now.data, { raw: { width, height, channels } }).png().toBuffer()
  return { pixels, marked }
}

const pixelsOf = (png: Buffer) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })

/** Encodes a picture with a palette of 256 colours, which makes the file several times smaller. */
export const smallPng = (png: Buffer): Promise<Buffer> =>
  sharp(png).removeAlpha().png({ palette: true, dither: 0, effort: 10, compressionLevel: 9 }).toBuffer()
