/** `npm run sbom` lists the npm packages that the package `usp-server` and the container image contain, in SPDX format. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { bundleServer } from './bundle-server.ts'

const DOCUMENT = 'SPDXRef-DOCUMENT'
const SERVER = 'SPDXRef-usp-server'

const root = join(import.meta.dirname, '..')
const readManifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

const contained = (await bundleServer({ write: false })).map((folder, nth) => ({
  ...described(`SPDXRef-package-${nth + 1}`, readManifest(folder)),
  checksums: [{ algorithm: 'SHA512', checksumValue: hexDigest(locked[folder].integrity) }],
}))

const document = {
  spdxVersion: 'SPDX-2.3',
  dataLicense: 'CC0-1.0',
  SPDXID: DOCUMENT,
  name: `${manifest.name}@${manifest.version}`,
  documentNamespace: `https://spdx.org/spdxdocs/${manifest.name}-${manifest.version}-${randomUUID()}`,
  creationInfo: { created: new Date().toISOString().replace(/\.\d+/, ''), creators: ['Tool: usp-server npm run sbom'] },
  packages: [described(SERVER, manifest), ...contained],
  relationships: [
    relationship(DOCUMENT, 'DESCRIBES', SERVER),
    ...contained.map(({ SPDXID }) => relationship(SERVER, 'CONTAINS', SPDXID)),
  ],
}
console.log(JSON.stringify(document, null, 2))

function described(id: string, { name, version, license }: { name: string; version: string; license?: string }) {
  return {
    SPDXID: id,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseDeclared: license ?? 'NOASSERTION',
    externalRefs: [
      {
        referenceCategory: 'PACKAGE-MANAGER',
        referenceType: 'purl',
        referenceLocator: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      },
    ],
  }
}

function relationship(from: string, type: string, to: string) {
  return { spdxElementId: from, relationshipType: type, relatedSpdxElement: to }
}

/** Converts a digest of the lock file, such as `sha512-` followed by base64, to hexadecimal digits. */
function hexDigest(integrity: string): string {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
}
