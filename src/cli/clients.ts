import { PlainError } from '../plain-error.ts'
import { addClient, listClients, revokeClient, rotateKey } from '../trust/api-keys.ts'
import { connect } from './open.ts'
import { table } from './table.ts'

const USAGE = 'Usage: npm run usp -- clients add NAME | list | rotate ID | revoke ID'
/** How long the old key works beside a new one. */
const OVERLAP_DAYS = 7

export async function run([action = '', name = '']: string[]) {
  if (!['add', 'list', 'rotate', 'revoke'].includes(action) || (action !== 'list' && !name)) throw new PlainError(USAGE)
  const { db, close } = await connect()
  const now = new Date()
  try {
    if (action === 'list') console.log(table(await listClients(db)))
    if (action === 'add') {
      const { id, key } = await addClient(db, name, now)
      console.log(`${name} is ${id}. ${shown(key)}`)
    }
    if (action === 'rotate') {
      requireClient(
        name,
        (await listClients(db)).some(({ id }) => id === name),
      )
      const key = await rotateKey(db, name, new Date(now.getTime() + OVERLAP_DAYS * 24 * 3_600_000), now)
      console.log(`${shown(key)}\nThe old key works for ${OVERLAP_DAYS} more days.`)
    }
    if (action === 'revoke') {
      requireClient(name, await revokeClient(db, name))
      console.log(`${name} and its keys are gone.`)
    }
  } finally {
    await close()
  }
}

function requireClient(id: string, found: boolean) {
  if (!found) throw new PlainError(`There is no client with the id ${id}. See: npm run usp -- clients list`)
}

const shown = (key: string) => `The key, shown this once:\n\n  ${key}\n\nSend it as: Authorization: Bearer KEY`
