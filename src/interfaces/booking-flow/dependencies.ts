import type { CallDependencies } from '../../pipeline/dispatch.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'

export type BookDependencies = CallDependencies & Dependencies<'log'>
