import { describe, expect, type TestContext, test } from 'vitest'
import { examples } from './examples.ts'
import { inLanguages, type Programs } from './languages.ts'

const { byLink, signedIn, asPlatform, platform } = await examples()

/** A compiler takes its time, the first time. */
const TIMEOUT = 30 * 60_000

describe.each(inLanguages)('[any assistant can book] the SDK of $language', { timeout: TIMEOUT }, ({ programs }) => {
  const program = async (name: keyof Programs, { skip }: TestContext) => {
    const made = await programs()
    return typeof made === 'string' ? skip(made) : made[name]
  }

  test('from the address to a booking by a link', async (context) => {
    expect(await byLink(await program('book', context))).toEqual([expect.stringMatching(/^assistant:/)])
  })

  test('from the address to a booking, signed in', async (context) => {
    expect(await signedIn(await program('book', context))).toEqual([expect.stringMatching(/^client:app_/)])
  })

  test('as a platform with an API key', async (context) => {
    expect(await asPlatform(await program('platform', context))).toEqual([platform])
  })
})
