import { expect, test } from 'vitest'
import { makeNonces } from '../../src/core/authentication/proof-nonces.ts'
import { verifyProof } from '../../src/core/authentication/verify-proof-jwt.ts'
import { deriveKey } from '../../src/core/keys/encrypt-secrets.ts'
import { readSlotId, slotId } from '../../src/domain/availability/time-slot-response.ts'
import { pageUrl, renewalsIn } from '../../src/domain/bookings/booking-page-links.ts'
import { makeTag } from '../../src/protocol/keyed-digest.ts'
import { makeCursors } from '../../src/protocol/page-cursors.ts'
import { jws, testKey } from '../support/platform.ts'
import { sha256 } from '../support/scoped.ts'

const key = deriveKey('a secret', 'a purpose')
const tag = makeTag(key)
const now = new Date('2026-11-20T12:00:00Z')

const slot = {
  service: 'svc_cut',
  start: now.getTime(),
  end: now.getTime() + 3_600_000,
  location: 'loc_1',
  picks: ['a'],
}
const nonces = makeNonces(key)
const cursors = makeCursors(key)
const page = pageUrl('', tag, { id: 'bkg_1', record: {} }, 'manage').split('/').at(-1) ?? ''

const isTaken = (work: () => unknown) => {
  try {
    work()
    return true
  } catch {
    return false
  }
}

const prover = testKey()
/** Whether a proof passes that says to be of this credential. */
const isProofOf = (value: string, ath: string) => {
  const header = { typ: 'dpop+jwt', alg: 'EdDSA', jwk: prover.jwk }
  const proof = jws(header, { iat: now.getTime() / 1000, jti: 'one', ath }, prover)
  const credential = { value, jkt: prover.thumbprint }
  return isTaken(() => verifyProof(proof, { typ: 'dpop+jwt', claims: {}, credential, now, checkNonce: () => {} }))
}

/** What carries a tag of ours at its end, how many characters of it, and whether it is taken for ours. */
const tagged: [what: string, text: string, length: number, isOurs: (text: string) => boolean][] = [
  ['a slot', slotId(tag, slot), 12, (text) => readSlotId(tag, text) !== undefined],
  ['a page', page, 32, (text) => renewalsIn(tag, 'bkg_1', 'manage', text) !== undefined],
  ['a nonce', nonces.make(now), 22, (text) => isTaken(() => nonces.check(text, now))],
  ['an ath', sha256('bsc_1'), 43, (text) => isProofOf('bsc_1', text)],
  ['a cursor', cursors.seal('all', [1], now), 16, (text) => isTaken(() => cursors.open('all', text, now, 60))],
]

test.each(tagged)('[every character of a tag counts] of %s: with one of them changed it is not ours', (...given) => {
  const [, text, length, isOurs] = given
  expect(isOurs(text)).toBe(true)
  for (let at = text.length - length; at < text.length; at++)
    for (const other of text[at] === 'A' ? 'Bw_' : 'Aw_')
      if (other !== text[at]) expect([at, isOurs(text.slice(0, at) + other + text.slice(at + 1))]).toEqual([at, false])
  for (const wrong of [text.slice(0, -1), `${text}A`, text.slice(0, -length), '']) expect(isOurs(wrong)).toBe(false)
})

test('[what was given out stays good] ids of slots and links to pages are made as they always were', () => {
  expect(slotId(tag, slot)).toBe('slot_c3ZjX2N1dH50b3N1bzB-MnMwfmxvY18xfmE2YQa7EN0LMjz')
  expect(page).toBe('nWKa99kY87DfY3SolJVdVCfafCauVOR6')
})

test.each([
  [-5, true],
  [-6, false],
  [300, true],
  [300.5, false],
])('[POP-089] a nonce of %d seconds ago: %s', (seconds, isGood) => {
  const made = nonces.make(new Date(now.getTime() - seconds * 1000))
  expect(isTaken(() => nonces.check(made, now))).toBe(isGood)
})

test.each([
  [60, true],
  [60.001, false],
])('[PAG-017] a cursor for a minute, %d seconds old: %s', (seconds, isGood) => {
  const cursor = cursors.seal('all', [1], new Date(now.getTime() - seconds * 1000))
  expect(isTaken(() => cursors.open('all', cursor, now, 60))).toBe(isGood)
})
