import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { serializeRequests } from '../../src/interfaces/http/create-node-http-server.ts'

/** Sends a request and resets the connection, while the server has no turn to accept it. */
const HASTY = `
  const { connect } = require('node:net')
  const { port, gone } = require('node:worker_threads').workerData
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('GET /gone HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => socket.resetAndDestroy()))
  socket.on('close', () => {
    Atomics.store(gone, 0, 1)
    Atomics.notify(gone, 0)
  })`

test('[who is gone has no address] a request of somebody who hung up before being let in is worked on by nobody', async () => {
  const handled: string[] = []
  const server = createServer(
    serializeRequests(({ url = '', socket }, response) => {
      handled.push(`${url} ${socket.remoteAddress}`)
      response.end()
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  const { port } = server.address() as AddressInfo
  const gone = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(HASTY, { eval: true, workerData: { port, gone } })
  Atomics.wait(gone, 0, 0, 60_000)
  const next = connect(port, '127.0.0.1', () => next.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n'))
  await expect.poll(() => handled).toContain('/next 127.0.0.1')
  expect(handled).toEqual(['/next 127.0.0.1'])
  next.destroy()
  await worker.terminate()
})
