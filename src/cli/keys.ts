import { isDue, type KeyState, listKeys, rotateKey, withdrawKey } from '../core/keys/rotate-keys.ts'
import { accessKeys, withdrawAccessKey } from '../core/tokens/keys.ts'
import type { Database } from '../infra/db/database.ts'
import { PlainError, USP } from '../infra/util/plain-error.ts'
import { open } from './open.ts'
import { resealStored } from './reseal-stored.ts'
import { table } from './table.ts'

const USAGE = `Usage: ${USP} keys list | rotate | compromise KID | reseal`

export async function run([action, kid = '']: string[]) {
  if (!['list', 'rotate', 'compromise', 'reseal'].includes(action ?? '') || (action === 'compromise' && !kid))
    throw new PlainError(USAGE)
  const { runtime, close } = await open({ schema: action === 'reseal' ? 'known' : 'fitting' })
  try {
    const now = runtime.clock()
    if (action === 'list') console.log(table(await listed(runtime.db, now)))
    else if (action === 'reseal') console.log(await resealStored(runtime.db, runtime.config))
    else if (action === 'rotate') console.log(rotated(await rotateKey(runtime, now)))
    else if (await withdrawKey(runtime, kid, now))
      console.log(`${kid} was removed from the profile and no longer signs.`)
    else if (await withdrawAccessKey(runtime.db, kid))
      console.log(
        `${kid} was removed. Restart the servers: they create a new key, and clients must request new access tokens.`,
      )
    else throw new PlainError(`There is no key ${kid}. See: ${USP} keys list`)
  } finally {
    await close()
  }
}

const rotated = (kid: string) =>
  `${kid} is published now and starts to sign in five minutes. The old key stays published for a week after that.`

async function listed(db: Database, now: Date) {
  const ofTokens = (await accessKeys(db)).map(({ kid, created_at }) => ({
    ...{ kid, created: created_at, signs: 'access tokens' },
    'published until': 'withdrawn',
  }))
  return [...shown(await listKeys(db), now), ...ofTokens]
}

function shown(keys: KeyState[], now: Date) {
  const signing = keys.findLast(({ signs_from }) => signs_from <= now)
  return keys.map((key) => ({
    kid: key.kid,
    created: key.created_at,
    signs: key === signing ? signsNow(key, now) : key.signs_from > now ? 'soon' : 'no longer',
    'published until': key.published_until ?? 'rotation',
  }))
}

const signsNow = (key: KeyState, now: Date) =>
  key.published_until === null && isDue(key, now) ? 'now, due for rotation' : 'now'
