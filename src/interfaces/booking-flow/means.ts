import type { CallMeans } from '../../pipeline/dispatch.ts'
import type { Means } from '../../protocol/means.ts'

/** What booking in a browser takes: whatever a call takes, since it makes calls. */
export type BookMeans = CallMeans & Means<'log'>
