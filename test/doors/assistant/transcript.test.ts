import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROSA, salon, visitor } from '../../book/visitor.ts'
import { testServer } from '../../support/server.ts'
import { assistant, pathOf } from './talk.ts'

const HEAD = `# What an assistant and the server say to each other

From nothing but the address of \`/mcp\` to a booking, each call with the whole text of its answer; what is said here as text the
answers have as data too. Secrets are left out. Written by \`npx vitest run test/doors/assistant/transcript.test.ts -u\`.
`

test('[any assistant can book] the whole way is written down as it is', async () => {
  const shop = await testServer(salon())
  const helper = assistant(shop)
  const said: string[] = [HEAD]
  const call = async (name: string, args: object = {}) => {
    const heard = await helper.call(name, args)
    said.push(`\`\`\`json\n${JSON.stringify({ name, arguments: args })}\n\`\`\`\n\n\`\`\`text\n${heard.text}\n\`\`\`\n`)
    return heard
  }
  const person = (words: string) => said.push(`## ${words}\n`)

  person('I need my hair cut, next Tuesday after four')
  await call('find_services', { query: 'hair cut', limit: 2 })
  const wish = { service_ids: ['svc_haircut'], location_id: 'loc_downtown' }
  const late = { from: '2026-11-24T16:00:00-05:00', to: '2026-11-24', limit: 3 }
  await call('find_times', { ...wish, ...late })
  person('At eight in the evening?')
  const evening = { from: '2026-11-24T20:00:00-05:00', to: '2026-11-24T20:00:00-05:00' }
  await call('find_times', { ...wish, ...evening })
  person('Then at four, with Alex')
  const { data } = await call('find_times', { ...wish, ...late, limit: 1, with: ['staff_alex'] })
  const begun = await call('book', { slot_id: data.times[0].slots[0].slot_id })
  person('Did it, on the page')
  await visitor(shop).fill(pathOf(begun.data.link), ROSA)
  await call('booking_status', { status_code: begun.data.status_code })
  person('What does it cost if I cannot come?')
  await call('service_details', { service_id: 'svc_haircut' })

  const written = said
    .join('\n')
    .replaceAll(begun.data.status_code, 'hold_….…')
    .replace(/hold=[\w-]+/g, 'hold=hold_…')
    .replace(/visit=[\w-]+/g, 'visit=assistant_…')
    .replace(/reference [A-Z]{4}-[A-Z]{4}/g, 'reference KPVX-QRST')
  await expect(written).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/assistants.md'))
})
