import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/** Loaded into a server before its own code: a call that names a number of milliseconds keeps it busy for so long. */
subscribe('fastify.initialization', (message) => {
  const { fastify }: { fastify?: FastifyInstance } = Object(message)
  fastify?.addHook('onSend', async ({ headers }) => {
    // As after the database has answered: nothing but the context knows any more for whom this runs.
    await new Promise((resolve) => setTimeout(resolve, 10))
    keepBusy(Number(headers['x-stall'] ?? 0))
  })
  // A machine so slow that the start takes its time.
  fastify?.addHook('onReady', async () => keepBusy(3_500))
})

function keepBusy(milliseconds: number) {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}
