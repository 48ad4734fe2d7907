import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { afterAll } from 'vitest'

export interface Nameserver {
  /** In the form of the setting USP_NAMESERVERS. */
  address: string
  /** The addresses of each name. A missing name gets a name error, and `silent` gets no answer. */
  names: Map<string, string[] | 'silent'>
  /** Queries for IPv6 addresses of these names get no answer. */
  withoutIPv6: Set<string>
  asked: string[]
}

const TYPES: Record<number, 4 | 6> = { 1: 4, 28: 6 }
const NAME_ERROR = 3

export async function testNameserver(): Promise<Nameserver> {
  const socket = createSocket('udp4')
  const nameserver: Nameserver = { address: '', names: new Map(), withoutIPv6: new Set(), asked: [] }
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = readQuestion(question)
    nameserver.asked.push(name)
    const known = nameserver.names.get(name)
    if (known === 'silent' || (TYPES[type] === 6 && nameserver.withoutIPv6.has(name))) return
    const found = (known ?? []).filter((one) => isIP(one) === TYPES[type])
    socket.send(answerTo(question.subarray(0, end), type, found, known ? 0 : NAME_ERROR), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  afterAll(() => void socket.close())
  nameserver.address = `127.0.0.1:${socket.address().port}`
  return nameserver
}

function readQuestion(message: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** The query again, with its answers (RFC 1035). */
function answerTo(question: Buffer, type: number, addresses: string[], code: number): Buffer {
  const header = Buffer.from(question)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray())
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, ...records])
}
