import { PlainError } from '../plain-error.ts'
import { listKeys, rotateKey, withdrawKey } from '../trust/rotate-keys.ts'
import { open } from './open.ts'
import { table } from './table.ts'

const USAGE = 'Usage: npm run usp -- keys list | rotate | compromise KID'

export async function run([action, kid = '']: string[]) {
  if (!['list', 'rotate', 'compromise'].includes(action ?? '') || (action === 'compromise' && !kid))
    throw new PlainError(USAGE)
  const { runtime, close } = await open()
  try {
    const now = new Date()
    if (action === 'list') console.log(table((await listKeys(runtime.db)).map((key) => shown(key, now))))
    else if (action === 'rotate') console.log(rotated(await rotateKey(runtime, now)))
    else if (await withdrawKey(runtime, kid, now))
      console.log(`${kid} is gone from the profile and signs nothing more.`)
    else throw new PlainError(`There is no key ${kid}. See: npm run usp -- keys list`)
  } finally {
    await close()
  }
}

const rotated = (kid: string) =>
  `${kid} is published now and signs in five minutes. The old key stays published for a week after.`

const shown = (
  { kid, created_at, signs_from, published_until }: Awaited<ReturnType<typeof listKeys>>[number],
  now: Date,
) => ({
  kid,
  created: created_at,
  signs: signs_from > now ? 'soon' : published_until ? 'no longer' : 'now',
  'published until': published_until ?? 'rotation',
})
