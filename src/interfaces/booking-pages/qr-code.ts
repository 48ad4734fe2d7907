import encodeQr from 'qr'
import { type Content, html } from '../../infra/util/html-template.ts'

/** The width of the empty border of a QR code, in squares of the code. QR readers require this border. */
const BORDER = 4

/**
 * Draws a QR code as an SVG image. The code is dark on a light background, even in dark mode, because some QR readers
 * cannot read light codes.
 */
export function qrCode(text: string, label: string): Content {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: BORDER })
  const size = rows.length
  const path = rows.flatMap((row, y) => runs(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)).join('')
  return html`<svg class="code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`
}

function runs(row: readonly boolean[]): [x: number, width: number][] {
  const found: [number, number][] = []
  row.forEach((isDark, x) => {
    const last = found.at(-1)
    if (isDark && last && last[0] + last[1] === x) last[1]++
    else if (isDark) found.push([x, 1])
  })
  return found
}
