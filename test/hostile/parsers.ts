import { decodeAttestationObject, parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import { verifyIdToken } from '../../src/core/authentication/company-provider.ts'
import { verifyProof } from '../../src/core/authentication/verify-proof-jwt.ts'
import { readKeys } from '../../src/core/profiles/bot-key-directories.ts'
import { PROFILE_BOUNDS } from '../../src/core/profiles/profile-document.ts'
import { readProfile } from '../../src/core/profiles/read-platform-profile.ts'
import { verifiedClaims } from '../../src/core/tokens/access-tokens.ts'
import { listOf, MAX_LIST_BYTES } from '../../src/domain/busy-times/caldav/caldav-client.ts'
import { GOOGLE_BOUNDS } from '../../src/domain/busy-times/google/google-client.ts'
import { googleEvent } from '../../src/domain/busy-times/google/google-event.ts'
import { MAX_PAGE_BYTES, MICROSOFT_BOUNDS } from '../../src/domain/busy-times/microsoft/microsoft-client.ts'
import { microsoftEvent } from '../../src/domain/busy-times/microsoft/microsoft-event.ts'
import { documentOf } from '../../src/domain/busy-times/oauth/provider-client.ts'
import { rulerOf } from '../../src/domain/catalog/decode-slot-bitmap.ts'
import { wordsOf } from '../../src/domain/catalog/search-words.ts'
import { publishedIn } from '../../src/domain/registry/indexing/read-business-profile.ts'
import { readPage } from '../../src/domain/registry/indexing/read-feed-page.ts'
import { shape } from '../../src/protocol/json-schemas.ts'
import { hostileDocuments } from './documents.ts'
import type { Subject } from './measure.ts'
import { piecesOfJson } from './pieces.ts'

const KIBIBYTE = 1024
const PROFILE = 256 * KIBIBYTE
const FEED = 4 * KIBIBYTE * KIBIBYTE
const TEXT = 64 * KIBIBYTE
/** The longest hint that the directory stores. */
const HINT = 16 * KIBIBYTE
/** Of a passkey a field is no longer. */
const FIELD = 8_000

/** Elements, empty ones, deep ones, attributes, namespaces, entities and texts without an end. */
const piecesOfXml = [
  '<d:response/>',
  '<d:response><d:href>/a</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>',
  '<a/>',
  `${'<a>'.repeat(25)}${'</a>'.repeat(25)}`,
  `<a ${Array.from({ length: 25 }, (_, nth) => `b${nth}=""`).join(' ')}/>`,
  `<a ${Array.from({ length: 25 }, (_, nth) => `xmlns:b${nth}="c"`).join(' ')}/>`,
  ...['&amp;', '&#120;', 'x', '<', '<!---->', '<?a b?>', '<![CDATA[x]]>', '<a b="', '\n'],
]
const raw = [...piecesOfJson, '{},', '}']
const words = [
  'a',
  ' ',
  'a ',
  '\u0301',
  '\u0316\u0301',
  '\u4e00',
  '\ufdfa',
  '\u0e01',
  '.',
  'a.',
  "a'",
  '\u00e9',
  '\u{1f468}\u200d',
]
const tokens = ['.', 'a.', 'a', '..a', '=', 'eyJ9.']
/** CBOR in base64url: lists in lists, maps in maps, bytes without an end, zeros, tags. */
const binary = ['gYGB', 'oaGh', 'X19f', 'AAAA', 'wMDA', 'v7-_']
const answer = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) })

const atCompany = { issuer: 'https://id.example', clientId: 'a', nonce: 'a', now: new Date() }

/** What is fetched or handed over, read as the server reads it. */
export const subjects = (): Record<string, Subject> => ({
  ...documents('platform profile', 'PlatformProfile', PROFILE, (text) => readProfile(answer(text))),
  ...documents('platform profile of UCP', 'UcpPlatformProfile', PROFILE, (text) => readProfile(answer(text))),
  ...documents('business profile', 'BusinessProfile', PROFILE, (text) => publishedIn(answer(text), 'standalone')),
  ...documents('business profile of UCP', 'UcpBusinessProfile', PROFILE, (text) =>
    publishedIn(answer(text), 'ucp_native'),
  ),
  ...documents('feed', 'FeedItem', FEED, (text) => readPage(answer(text), null), inFeed),
  ...repeated('list of a CalDAV server', piecesOfXml, MAX_LIST_BYTES, (text) => listOf(inMultistatus(text))),
  ...repeated('page of Google', raw, 2 ** 20, (text) => documentOf(Buffer.from(text), GOOGLE_BOUNDS)),
  ...repeated('page of Microsoft', raw, MAX_PAGE_BYTES, (text) => documentOf(Buffer.from(text), MICROSOFT_BOUNDS)),
  ...repeated('times of an event at Microsoft', raw, TEXT, (text) => microsoftEvent(eventIn(text), 'America/New_York')),
  ...repeated('times of an event at Google', raw, TEXT, (text) => googleEvent(eventAt(text), 'America/New_York')),
  ...repeated('key directory', raw, TEXT, (text) => readKeys(answer(text))),
  ...repeated('words of a text', words, TEXT, wordsOf),
  ...repeated('proof', tokens, TEXT, (text) => verifyProof(text, expected)),
  ...repeated('access token', tokens, TEXT, (text) => verifiedClaims(text, issuer, 'a', new Date())),
  ...repeated('ID token', tokens, TEXT, (text) => verifyIdToken(text, { keys: [] }, atCompany).catch(() => {})),
  ...repeated('bitmap of a hint', binary, HINT, (text) =>
    rulerOf({
      duration: 'PT1H',
      starts_at: '2026-11-30T09:00:00Z',
      start_interval: 'PT1M',
      slot_count: 2 ** 32,
      encoding: 'roaring32-portable-base64',
      bitmap: text,
    }),
  ),
  ...repeated('passkey', binary, FIELD, (text) => decodeAttestationObject(bytesOf(text))),
  ...repeated('what a device says of a passkey', binary, FIELD, (text) => parseAuthenticatorData(bytesOf(text))),
})

const inMultistatus = (text: string) => Buffer.from(`<d:multistatus xmlns:d="DAV:">${text.slice(0, MAX_LIST_BYTES)}`)
const eventAt = (text: string) => ({ id: text.slice(0, 1_000), start: { dateTime: text }, end: { date: text } })
const eventIn = (text: string) => ({
  id: 'a',
  iCalUId: text,
  start: { dateTime: text, timeZone: 'UTC' },
  end: { dateTime: text, timeZone: 'UTC' },
})
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
const inFeed = (item: unknown) => ({ items: [item], pagination: { has_more: false }, feed_meta: {} })
const expected = { typ: 'dpop+jwt' as const, claims: {}, now: new Date(), checkNonce() {} }
const issuer = {
  name: 'a',
  algorithms: ['ES256'],
  typ: undefined,
  findKey: async () => {
    throw new Error('There is none')
  },
  subjectOf: async () => undefined,
  tokenEndpoint: () => undefined,
}

function documents(
  what: string,
  name: string,
  largest: number,
  read: (text: string) => unknown,
  around = (document: unknown) => document,
): Record<string, Subject> {
  const made = hostileDocuments(shape(name)).map(({ what: where, make }, index): [string, Subject] => [
    `${what} ${index}: ${where}`,
    {
      largest: PROFILE_BOUNDS.mostValues - 10,
      prepare(values) {
        const text = JSON.stringify(around(make(Math.floor(values))))
        return () => refused(() => read(text))
      },
    },
  ])
  return { ...Object.fromEntries(made), ...repeated(what, raw, largest, read) }
}

const repeated = (what: string, pieces: string[], largest: number, read: (text: string) => unknown) =>
  Object.fromEntries(
    pieces.map((piece): [string, Subject] => [
      `${what} of ${JSON.stringify(piece)}`,
      {
        largest,
        prepare(size) {
          const text = piece.repeat(Math.ceil(size / Buffer.byteLength(piece)))
          return () => refused(() => read(text))
        },
      },
    ]),
  )

function refused(read: () => unknown) {
  try {
    return read()
  } catch (error) {
    return error
  }
}
