import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that change what their process shares, measure turns that a large heap of others would lengthen, or count what runs. */
const apart = [
  'test/bindings/tls*.test.ts',
  'test/authentication/mtls*.test.ts',
  'test/booking-flow/large-salon.long.test.ts',
  'test/calendar/long-feed.long.test.ts',
  'test/telemetry/tracing.test.ts',
]
/** Files that bound seconds or CPU time. They run one at a time after all others, because busy cores delay the answers. */
const timed = [
  'test/faults/{silence,pooler,frozen,no-turn}.test.ts',
  'test/db/{hosts,whereabouts}.test.ts',
  'test/egress/{egress-answers,egress-names,egress-tls}.test.ts',
  'test/bindings/tls-attacks.test.ts',
  'test/ha/haproxy.test.ts',
  'test/registry/{indexed-service,search-alike}.test.ts',
  'test/util/{pace,roaring,long-work}.test.ts',
  'test/hostile/one-request.test.ts',
  'test/hostile/{far-days,many-changes,many-choices,many-classes,many-days,many-of-a-day}.test.ts',
  'test/hostile/{many-published,many-subscriptions,many-zones}.test.ts',
  'test/catalog/structured-data.test.ts',
  'test/definition/read-apart.test.ts',
  'test/availability/assign-distinct.test.ts',
  'test/interfaces/desk/live.test.ts',
  'test/call-paths.test.ts',
]
const all = 'test/**/*.test.ts'
/** Many processes, browsers and sweeps over everything: `npm run test:long`. */
const long = 'test/**/*.long.test.ts'
const short = 'test/**/!(*.long|*.sampled).test.ts'
/** Generated tests by the thousand (support/case-sampling.ts): `npm test` runs a sample, `npm run test:long` all of them. */
const [some, whole] = [{ provide: { whole: false } }, { provide: { whole: true } }]

/** Files that take the longest, of which none is to be left alone at the end; those that time something are spared their company. */
const LONG = [
  'browser/every-page.long',
  'hostile/requests.sampled',
  'cli/serve.long',
  'my-bookings/one-account.long',
  'waitlist/first-in-line.sampled',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(`/test/${name}.test.ts`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/drop-databases.ts'],
    // No test is about these: they end what hangs, and a busy machine takes its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Two cores are not kept busy by two: a test also waits for its servers and its database.
    maxWorkers: 4,
    maxConcurrency: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      // The server's modules are loaded once a worker: loading them for each file took a third of the time.
      {
        extends: true,
        test: { name: 'together', include: [all], exclude: [...apart, ...timed, long], isolate: false, ...some },
      },
      { extends: true, test: { name: 'apart', include: apart, exclude: [...timed, long], ...some } },
      { extends: true, test: { name: 'timed', include: timed, maxWorkers: 1, sequence: { groupOrder: 1 }, ...some } },
      { extends: true, test: { name: 'long', include: [all], exclude: [...apart, short], isolate: false, ...whole } },
      { extends: true, test: { name: 'long, apart', include: apart, exclude: [short], ...whole } },
    ],
  },
})
