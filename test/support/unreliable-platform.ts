import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { freePort } from './process.ts'

export interface Arrival {
  event_id: string
  event: string
  booking_id: string
  revision: string | undefined
  /** The times of arrival and of acceptance, if accepted, as numbers of a common sequence. */
  at: number
  acceptedAt: number | undefined
}

/** An unreliable platform that receives events. */
export interface UnreliablePlatform {
  url: string
  arrivals: Arrival[]
  /** Closes all connections, stops for a moment, and restarts at the same address. */
  restart(): Promise<void>
}

/** Half of the calls draw one of these: of twenty calls, three fail, three break off, and four are slow. */
const moods = ['fail', 'fail', 'fail', 'break off', 'break off', 'answer and break off', 'slow', 'slow', 'slow', 'slow']
const AWAY_MS = 300

export async function unreliablePlatform(): Promise<UnreliablePlatform> {
  const port = await freePort()
  // A random path, because another process may still call this port's former owner.
  const path = `/${randomUUID()}`
  const arrivals: Arrival[] = []
  let happened = 0
  let server: Server
  const open = async () => {
    server = createServer(loopbackCertificate(), async (request, response) => {
      if (request.url !== path) return void response.writeHead(404).end()
      const chunks: Buffer[] = []
      try {
        for await (const chunk of request) chunks.push(chunk)
      } catch {
        return
      }
      const { event_id, event, booking_id, data } = JSON.parse(Buffer.concat(chunks).toString())
      const arrival: Arrival = {
        event_id,
        event,
        booking_id,
        revision: data?.revision,
        at: ++happened,
        acceptedAt: undefined,
      }
      arrivals.push(arrival)
      const mood = moods[Math.floor(Math.random() * 2 * moods.length)]
      if (mood === 'break off') return void request.socket.destroy()
      if (mood === 'fail') return void response.writeHead(500).end()
      if (mood === 'slow') await pass(100 + Math.random() * 400)
      // Accepted from here on. After a connection error it may arrive again, but never after its successor.
      if (!request.socket.destroyed) arrival.acceptedAt = ++happened
      if (mood === 'answer and break off') request.socket.destroy()
      else response.writeHead(204).end()
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  await open()
  afterAll(close)
  return {
    url: `https://127.0.0.1:${port}${path}`,
    arrivals,
    async restart() {
      await close()
      await pass(AWAY_MS)
      await open()
    },
  }
}
