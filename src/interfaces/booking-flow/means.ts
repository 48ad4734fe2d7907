import type { CallMeans } from '../../pipeline/dispatch.ts'
import type { Means } from '../../protocol/means.ts'

export type BookMeans = CallMeans & Means<'log'>
