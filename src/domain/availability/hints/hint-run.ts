import { Throttle } from '../../../infra/util/time-slice.ts'
import { type ChoiceCounts, newChoiceCounts } from './counted-choices.ts'

export class HintRun {
  readonly counted: ChoiceCounts = newChoiceCounts()
  readonly pace = new Throttle()
}
