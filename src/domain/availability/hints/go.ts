import { Pace } from '../../../infra/util/pace.ts'
import { type CountedChoices, countedChoices } from './counted-choices.ts'

/** One go at the hints: what was counted in it, and how long it has worked since it rested. */
export class Go {
  readonly counted: CountedChoices = countedChoices()
  readonly pace = new Pace()
}
