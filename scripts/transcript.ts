import { writeFile } from 'node:fs/promises'
import { readDefinitionFile } from '../src/domain/definition/read-definition.ts'
import { assistant, signedInAssistant } from './transcript/assistant.ts'
import { conversation } from './transcript/conversation.ts'
import { withDemo } from './transcript/demo.ts'
import { person } from './transcript/person.ts'
import { stable } from './transcript/stable.ts'
import { usualTuesday } from './transcript/usual-tuesday.ts'

/**
 * Records a conversation with the demo server of `npm start`. Writes it to the documentation page, or to the file that
 * the command line names.
 */
const [, , file = 'docs/assistant-conversation.md'] = process.argv
const tuesday = usualTuesday(readDefinitionFile('examples/glamour-salon.yaml').definition, Date.now())

await withDemo(async (origin) => {
  const somebody = await person(origin)
  const stranger = await assistant(origin)
  let signedIn: typeof stranger | undefined
  try {
    const cast = {
      ...somebody,
      stranger: stranger.call,
      async signedIn() {
        signedIn = await signedInAssistant(origin, (address) => somebody.signsIn(address, 'sam@example.com'))
        return signedIn.call
      },
    }
    await writeFile(file, stable(await conversation(cast, tuesday), tuesday))
  } finally {
    await Promise.all([somebody.leaves(), stranger.leave(), signedIn?.leave()])
  }
})
