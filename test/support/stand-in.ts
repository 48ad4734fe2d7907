import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback.ts'
import { freePort } from './process.ts'

/** An event as it came, in the order of arrival. */
export interface Arrival {
  event_id: string
  event: string
  booking_id: string
  revision: string | undefined
  /** When it came and when it was accepted, if it was, counted in things that happened. */
  at: number
  acceptedAt: number | undefined
}

/** A platform that is told of events and is not at its best. */
export interface StandIn {
  url: string
  arrivals: Arrival[]
  /** Drops everything, is away for a moment, and comes back at the same address. */
  restart(): Promise<void>
}

/** Of twenty calls it fails three, breaks off three, and takes its time over four. */
const moods = ['fail', 'fail', 'fail', 'break off', 'break off', 'answer and break off', 'slow', 'slow', 'slow', 'slow']
const AWAY = 300

export async function standIn(): Promise<StandIn> {
  const port = await freePort()
  // What is sent to whoever had the port before stays out.
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
      // It counts as received from here: what is broken off now may come again, and never after what follows it.
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
      await pass(AWAY)
      await open()
    },
  }
}
