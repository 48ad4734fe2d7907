import type { CallDependencies } from '../../pipeline/dispatch.ts'
import type { Dependencies } from '../../protocol/means.ts'

export type BookDependencies = CallDependencies & Dependencies<'log'>
