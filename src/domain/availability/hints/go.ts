import { Pace } from '../../../infra/util/pace.ts'
import { type CountedChoices, countedChoices } from './counted-choices.ts'

export class Go {
  readonly counted: CountedChoices = countedChoices()
  readonly pace = new Pace()
}
