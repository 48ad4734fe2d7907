/**
 * The accent colour of the business: one version for light pages, and one for dark pages. `on` is a text colour that is
 * readable on the accent colour.
 */
export interface Accent {
  light: { accent: string; on: string }
  dark: { accent: string; on: string }
}

export const DEFAULT_ACCENT = '#4b2e83'

type Colour = readonly [red: number, green: number, blue: number]

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]
/**
 * The backgrounds that make the accent colour hardest to read: the page in light mode, and the boxes on the page in
 * dark mode.
 */
const LIGHT_GROUND: Colour = [243, 242, 246]
const DARK_PAPER: Colour = [33, 31, 42]
/** The minimum contrast between a text and its background (WCAG 2.2, level AA). */
const MIN_CONTRAST = 4.5

/** Makes the accent colour darker or lighter, if needed, until it is readable on light and on dark pages. */
export function accentOf(hex: string): Accent {
  const colour = parse(hex)
  const light = readable(colour, LIGHT_GROUND, BLACK)
  const dark = readable(colour, DARK_PAPER, WHITE)
  return {
    light: { accent: toHex(light), on: textColourOn(light) },
    dark: { accent: toHex(dark), on: textColourOn(dark) },
  }
}

function readable(colour: Colour, ground: Colour, towards: Colour): Colour {
  let mixed = colour
  for (let step = 1; contrast(mixed, ground) < MIN_CONTRAST && step <= 20; step++)
    mixed = mix(colour, towards, step / 20)
  return mixed
}

const textColourOn = (colour: Colour): string => (contrast(colour, WHITE) >= MIN_CONTRAST ? '#ffffff' : '#111111')

const mix = ([r, g, b]: Colour, [tr, tg, tb]: Colour, part: number): Colour => [
  Math.round(r + (tr - r) * part),
  Math.round(g + (tg - g) * part),
  Math.round(b + (tb - b) * part),
]

const parse = (hex: string): Colour => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const toHex = (colour: Colour) => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`

function contrast(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: Colour): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/**
 * The colours of pages that show no accent colour of a business: the documentation, and the mail pages of a development
 * server.
 */
export const PLAIN_PALETTE = `:root { color-scheme: light dark; --ink: #1c1b22; --soft: #5a5866; --paper: #fff; --ground: #f3f2f6; --line: #d9d7e0; --link: #4b2e83 }
@media (prefers-color-scheme: dark) { :root { --ink: #f1eff7; --soft: #b9b5c6; --paper: #211f2a; --ground: #15141b; --line: #45424f; --link: #c4adf5 } }`
