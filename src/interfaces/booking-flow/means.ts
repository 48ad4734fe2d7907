import type { CallMeans } from '../../pipeline/dispatch.ts'
import type { Means } from '../../protocol/means.ts'

/** Dependencies of the booking pages: those of a call, because the pages make calls. */
export type BookMeans = CallMeans & Means<'log'>
