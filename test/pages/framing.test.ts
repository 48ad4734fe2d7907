import { describe, expect, test } from 'vitest'
import { linkingBusiness, linkingShop } from '../oauth/browser.ts'

const SALON = 'https://salon.example'
const { shop } = await linkingShop(linkingBusiness({}, { website: { origins: [SALON] } }))
const framedBy = async (url: string) => {
  const { headers } = await shop.raw({ method: 'GET', url })
  return /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]
}

describe('[what is part of booking in a frame] is shown by the sites that the business names', () => {
  test.each(['/book', '/book/svc_none', '/booking/bkg_none/manage/x', '/waiting/wle_none/x'])('%s', async (url) => {
    expect(await framedBy(url)).toBe(`'self' ${SALON}`)
  })
})

describe('[what shows who somebody is] is framed by nobody', () => {
  test.each(['/my', '/my/enter/x', '/account', '/link/x', '/oauth/authorize'])('%s', async (url) => {
    expect(await framedBy(url)).toBe("'none'")
  })
})

test('[what is framed by nobody] is opened in place of the business’s site, where it would stay blank', async () => {
  expect((await shop.raw({ method: 'GET', url: '/book' })).body).toContain('<a href="/my" target="_top">')
})
