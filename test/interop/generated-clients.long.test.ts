import { expect, test } from 'vitest'
import { generatedClients } from './programs.ts'
import { signingPlatform } from './signing-platform.ts'
import { ask, installed } from './tools.ts'

const { server, origin, key, platform } = await signingPlatform()
const { db } = server.runtime

test.for(Object.entries(generatedClients))(
  '[a foreign client] made by %s finds a time, books it with a signature, and cancels it',
  { timeout: 10 * 60_000 },
  async ([, find], context) => {
    const program = await installed(context, find)
    server.time.now = new Date()
    const { id, statuses } = await ask([...program, origin, platform.url, key.keyid], key.pem)
    expect(statuses).toEqual(['confirmed', 'canceled'])
    const booking = await db.selectFrom('bookings').select('principal').where('id', '=', id).executeTakeFirst()
    expect(booking?.principal).toMatch(/^key:/)
  },
)
