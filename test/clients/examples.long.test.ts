import { describe, expect, test } from 'vitest'
import { examples } from './examples.ts'

const { byLink, signedIn, asPlatform, platform } = await examples()

describe.each([
  ['the TypeScript SDK 2.x', ['node', 'typescript-2.ts']],
  ['the TypeScript SDK 1.x', ['node', 'typescript-1.ts']],
  ['the Inspector', ['sh', 'inspector.sh']],
])('[any assistant can book] %s, from the address to a booking', (_, command) => {
  test('by a link', async () => {
    expect(await byLink(command)).toEqual([expect.stringMatching(/^assistant:/)])
  })

  test('signed in', async () => {
    expect(await signedIn(command)).toEqual([expect.stringMatching(/^client:app_/)])
  })
})

test('a platform with an API key books at the protocol’s tools', async () => {
  expect(await asPlatform(['node', 'platform.ts'])).toEqual([platform])
})
