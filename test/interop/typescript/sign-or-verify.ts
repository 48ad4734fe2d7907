/**
 * Signs or verifies one message with http-message-sig. It reads the message as JSON from the standard input, and prints
 * the result as JSON. The folders `python`, `go` and `rust` have the same program with other libraries.
 */
import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { signatureHeaders, verify as verifyMessage } from 'http-message-sig'

const message = JSON.parse(await text(process.stdin))
const result = message.task === 'sign' ? await signed() : { verified: await verified() }
console.log(JSON.stringify(result))

async function signed() {
  const key = createPrivateKey(message.pem)
  const { Signature, 'Signature-Input': input } = await signatureHeaders(message, {
    components: message.components,
    signer: {
      keyid: message.keyid,
      alg: 'ecdsa-p256-sha256',
      sign: (base) => sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }),
    },
  })
  return { signature: Signature, 'signature-input': input }
}

async function verified() {
  const key = createPublicKey(message.pem)
  if (message.headers['content-digest'] !== `sha-256=:${hash('sha256', message.body, 'base64')}:`) return false
  const isBy = (base: string, signature: Uint8Array) =>
    verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, signature)
  return verifyMessage(message, (base, signature, { keyid }) => keyid === message.keyid && isBy(base, signature))
}
