import decodeQr from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { giroCode } from '../../src/domain/payments/bank-transfer-qr.ts'
import { html } from '../../src/infra/util/html-template.ts'
import { qrCode } from '../../src/interfaces/booking-pages/qr-code.ts'

const account = { account_holder: 'Glämour Salon GmbH', iban: 'DE02 1203 0000 0000 2020 51', bic: 'BYLADEM1001' }
const sum = { amount: 11_050, currency: 'EUR' }
const TEXT = 'BCD\n002\n1\nSCT\nBYLADEM1001\nGlämour Salon GmbH\nDE02120300000000202051\nEUR110.50\n\n\nKSKC-MJWY'

test('[a transfer that fills itself in] is written as banking apps read it', () => {
  expect(giroCode(account, sum, 'KSKC-MJWY')).toBe(TEXT)
  expect(giroCode({ ...account, account_holder: 'ä'.repeat(140) }, sum, 'X')?.split('\n')[5]).toBe('ä'.repeat(70))
})

test('[a transfer that fills itself in] can be read from the picture', () => {
  const markup = html`${qrCode(TEXT, 'A code')}`.text
  const size = Number(/viewBox="0 0 (\d+) /.exec(markup)?.[1])
  const scale = 4
  const data = new Uint8Array((size * scale) ** 2 * 4).fill(255)
  for (const [, x, y, width] of markup.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let column = Number(x) * scale; column < (Number(x) + Number(width)) * scale; column++)
        data.fill(0, (row * size * scale + column) * 4, (row * size * scale + column) * 4 + 3)
  // Squares beside each other are one line, so that the page stays small: such as the edges of its corners.
  expect(markup).toContain('M4 4h7v1h-7z')
  const lines = [...markup.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, width]) => [
    Number(x) + Number(width),
    Number(y),
  ])
  for (const [end, y] of lines) expect(markup).not.toContain(`M${end} ${y}h`)
  expect(decodeQr({ width: size * scale, height: size * scale, data })).toBe(TEXT)
})

describe('[a transfer that fills itself in] there is none', () => {
  test.each([
    ['in another currency', account, { ...sum, currency: 'USD' }],
    ['of nothing', account, { ...sum, amount: 0 }],
    ['of more than a transfer can be', account, { ...sum, amount: 100_000_000_000 }],
    ['to a number that is mistyped', { ...account, iban: 'DE02120300000000202052' }, sum],
    ['to a number of another kind', { ...account, iban: 'US00123456789012' }, sum],
  ])('%s', (_, to, of) => {
    expect(giroCode(to, of, 'X')).toBeUndefined()
  })
})
