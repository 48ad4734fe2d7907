import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { callerNaming, changedPlatform, readCatalogue } from './named-platforms.ts'
import { sampleInputs } from './sample-inputs.ts'

const STALL_SECONDS = 9

export const platformProfileFetchingChecks = [
  check('PRO-053 PRO-055 ERR-042', 'The server does not follow a redirect of a platform profile', async (c) => {
    for (const status of [301, 302, 307, 308]) {
      const goal = c.newPlatform().hosted
      const { caller } = changedPlatform(c, ({ profileAnswer }) => {
        Object.assign(profileAnswer, { status, headers: { location: goal.profile } })
      })
      ;(await readCatalogue(caller)).failsWith('profile_unreachable')
      expectEqual(goal.reads, 0, 'the number of requests to the target of the redirect')
    }
  }),
  check(
    'PRO-054 PRO-055 ERR-042',
    'Even a public call fails if the server cannot fetch the platform profile',
    async (c) => {
      for (const status of [404, 500]) {
        const { caller } = changedPlatform(c, ({ profileAnswer }) => {
          profileAnswer.status = status
        })
        ;(await readCatalogue(caller)).failsWith('profile_unreachable')
      }
      // Host names under `.invalid` never exist (RFC 2606).
      const unknown = callerNaming(c, 'https://platform.invalid/profile.json')
      ;(await readCatalogue(unknown)).failsWith('profile_unreachable')
    },
  ),
  check(
    'LIV-027',
    'The server refuses a privileged call if it cannot fetch the platform profile',
    async (c) => {
      const { caller } = changedPlatform(c, ({ profileAnswer }) => {
        profileAnswer.status = 503
      })
      const answer = await caller.call('getBooking', sampleInputs.getBooking)
      answer.failsWith('profile_unreachable', { rest: [424, 401], mcp: [-32003, -32006] })
    },
    { needs: ['services.bookings'] },
  ),
  check('PRO-056', 'The server stops waiting for a platform profile after a few seconds', async (c) => {
    const { caller } = changedPlatform(c, ({ profileAnswer }) => {
      profileAnswer.stalls = true
    })
    const start = performance.now()
    ;(await readCatalogue(caller)).failsWith('profile_unreachable')
    const seconds = (performance.now() - start) / 1000
    expectTrue(seconds < STALL_SECONDS, `an answer within ${STALL_SECONDS} seconds`, `${Math.round(seconds)} seconds`)
  }),
  check('PRO-057', 'The server refuses a platform profile of two megabytes', async (c) => {
    const { caller } = changedPlatform(c, ({ document }) => {
      document.padding = 'x'.repeat(2 * 1024 * 1024)
    })
    const { error } = await readCatalogue(caller)
    expectTrue(
      error?.code === 'profile_malformed' || error?.code === 'profile_unreachable',
      'profile_malformed or profile_unreachable',
      error?.code ?? 'no error',
    )
  }),
  check('PRO-058', 'The server accepts a platform profile of 128 kilobytes', async (c) => {
    const { caller } = changedPlatform(c, ({ document }) => {
      document.padding = Array.from({ length: 128 }, () => 'x'.repeat(1000))
    })
    ;(await readCatalogue(caller)).success()
  }),
  check('PRO-071', 'Two calls of one platform cause one fetch of its profile', async (c) => {
    const { caller, hosted } = c.newPlatform()
    await readCatalogue(caller)
    ;(await readCatalogue(caller)).success()
    expectEqual(hosted.reads, 1, 'the number of fetches')
  }),
  check(
    'PRO-072',
    'The server caches a platform profile for a minute, even if its headers forbid caching',
    async (c) => {
      for (const cacheControl of ['no-store', 'max-age=0']) {
        const { caller, hosted } = changedPlatform(c, ({ profileAnswer }) => {
          profileAnswer.headers = { 'cache-control': cacheControl }
        })
        await readCatalogue(caller)
        ;(await readCatalogue(caller)).success()
        expectEqual(hosted.reads, 1, `the number of fetches of a profile with ${cacheControl}`)
      }
    },
  ),
  check('PRO-074', 'Ten simultaneous first calls of one platform cause one fetch of its profile', async (c) => {
    const { caller, hosted } = c.newPlatform()
    const answers = await Promise.all(Array.from({ length: 10 }, () => readCatalogue(caller)))
    for (const answer of answers) answer.success()
    expectEqual(hosted.reads, 1, 'the number of fetches')
  }),
  check(
    'PRO-075',
    'After a failed fetch of a platform profile, the server does not fetch it again for each call',
    async (c) => {
      const { caller, hosted } = changedPlatform(c, ({ profileAnswer }) => {
        profileAnswer.status = 500
      })
      for (let call = 0; call < 4; call++) (await readCatalogue(caller)).failsWith('profile_unreachable')
      expectTrue(hosted.reads < 4, 'fewer fetches than calls', `${hosted.reads} fetches`)
    },
  ),
]
