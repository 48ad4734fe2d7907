import type { Runtime } from '../runtime.ts'
import type { View } from './layout.ts'
import type { Visit } from './visit.ts'

/** What one kind of page shows and does. */
export interface PageKind {
  show(visit: Visit, runtime: Runtime): View
  /**
   * Does what its form asks for, if it can be done; twice does no more than once. Then the browser goes to the address
   * that is returned, or sees the view, or looks at the page anew.
   */
  submit(visit: Visit, form: URLSearchParams, runtime: Runtime): Promise<View | { to: string } | undefined>
}
