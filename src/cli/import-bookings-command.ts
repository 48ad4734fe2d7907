import { createReadStream, readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { isZone } from '../infra/time/time-zone.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { asRecord } from '../infra/util/object-members.ts'
import { report } from '../interfaces/imports/import-report.ts'
import { importRows } from '../interfaces/imports/import-rows.ts'
import { isNameMap, nameFinder } from '../interfaces/imports/match-names-to-ids.ts'
import { rowsOf } from '../interfaces/imports/read-import-file.ts'
import { open } from './open-database.ts'
import { onlyFile, parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} import FILE [--yes] [--tell] [--map FILE] [--service NAME] [--source NAME] [--zone ZONE]

Without --yes it is a dry run. docs/import.md describes the file.`

/**
 * Imports the bookings of another booking system from a file. The default is a dry run, because no command undoes an
 * import.
 */
export async function run(args: string[]) {
  const { file, yes, tell, zone, service, source, map } = read(args)
  const { runtime, close } = await open({ logTo: process.stderr })
  try {
    const definition = await runtime.business.get()
    if (!definition) throw new PlainError(`No business is set up yet. Apply a definition first: ${USP} apply FILE`)
    const chunks = textOf(file)
    const usedZone = zone ?? definition.business.timezone
    const rows = rowsOf(extname(file), chunks, {
      zone: usedZone,
      zones: map.zone,
      now: runtime.clock(),
      service,
      warn: (text) => console.error(`Warning: ${text}`),
    })
    const results = await importRows(
      rows,
      {
        source: source ?? extname(file).slice(1).toLowerCase(),
        names: nameFinder(definition, map),
        zone: usedZone,
        notifies: tell,
        isDryRun: !yes,
        progress: (done, total) => console.error(`${done} of ${total} rows processed.`),
      },
      runtime,
    )
    console.log(report(results, { isDryRun: !yes }))
    if (!yes) console.log(`This was a dry run: nothing was imported. To import, add --yes.`)
    if (results.some(({ outcome }) => outcome === 'refused')) process.exitCode = 1
  } finally {
    await close()
  }
}

function read(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const options = { yes: flag, 'dry-run': flag, tell: flag, zone: text, service: text, source: text, map: text }
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options }, USAGE)
  const file = onlyFile(positionals, USAGE)
  const { yes, 'dry-run': dryRun, tell, zone, service, source, map } = values
  if (yes && dryRun) throw new PlainError(USAGE)
  if (zone !== undefined && !isZone(zone))
    throw new PlainError(`${zone} is not a time zone. Name one such as Europe/Berlin.`)
  if (source !== undefined && !/^[a-z0-9][a-z0-9._-]{0,39}$/.test(source))
    throw new PlainError(
      '--source is the name of the other system: at most 40 lower-case letters, digits, dots, dashes and underscores.',
    )
  return { file, yes, tell, zone, service, source, map: map === undefined ? {} : readMap(map) }
}

const MAX_FILE_BYTES = 100 * 1024 * 1024

function textOf(file: string): AsyncIterable<string> {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw new PlainError(`${file} has more than 100 MB. Split it.`)
  } catch (error) {
    throw error instanceof PlainError ? error : new PlainError(`${file} cannot be read (${asRecord(error).code}).`)
  }
  return decoded(file)
}

/** Decodes the import file as UTF-8. Refuses other encodings, because names could lose letters. */
async function* decoded(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const octets of createReadStream(file)) yield decoder.decode(octets, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new PlainError(`${file} is not UTF-8. Save it as "CSV UTF-8", or convert it.`)
    throw new PlainError(`${file} cannot be read (${asRecord(error).code}).`)
  }
}

function readMap(file: string) {
  try {
    const map: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isNameMap(map)) return map
  } catch (error) {
    throw new PlainError(`${file} cannot be read (${asRecord(error).code ?? 'it is not JSON'}).`)
  }
  throw new PlainError(
    `${file} must look like {"service": {"Their name": "svc_id"}, "with": {}, "place": {}}; null leaves a name out. A "zone" maps ` +
      'to a time zone such as Europe/Berlin.',
  )
}
