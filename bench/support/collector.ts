/** A trace collector that accepts all data. It is a separate process, as if it ran on another machine. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const collector = createServer((request, response) => {
  request.resume().once('end', () => response.end())
})
collector.listen(0, '127.0.0.1', () => process.send?.((collector.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
