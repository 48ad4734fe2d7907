import { describe, expect, type TestContext, test } from 'vitest'
import { examples } from './examples.ts'
import { inLanguages, type Programs } from './languages.ts'

const { byLink, signedIn, asPlatform, platform } = await examples()

/** A compiler takes its time, the first time. */
const TIMEOUT = 30 * 60_000

describe.each(inLanguages)('[any assistant can book] the SDK of $language', { timeout: TIMEOUT }, ({ programs }) => {
  const found = async ({ skip }: TestContext): Promise<Programs> => {
    const made = await programs()
    return typeof made === 'string' ? skip(made) : made
  }

  test('from the address to a booking by a link', async (context) => {
    const { book } = await found(context)
    expect(await byLink(book)).toEqual([expect.stringMatching(/^assistant:/)])
  })

  test('from the address to a booking, signed in', async (context) => {
    const { book, signsNobodyIn } = await found(context)
    if (signsNobodyIn) context.skip('Its SDK leaves that to other libraries.')
    expect(await signedIn(book)).toEqual([expect.stringMatching(/^client:app_/)])
  })

  test('as a platform with an API key', async (context) => {
    const { platform: program } = await found(context)
    expect(await asPlatform(program)).toEqual([platform])
  })
})
