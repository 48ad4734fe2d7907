import { Pace } from '../../../infra/util/pace.ts'
import { type CountedChoices, countedChoices } from './counted-choices.ts'

/** The state of one run over all services: shared counts and throttling. */
export class Go {
  readonly counted: CountedChoices = countedChoices()
  readonly pace = new Pace()
}
