/** `npm run sbom` lists the npm packages that the package `usp-server` and the container image contain, in SPDX format. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { bundleServer } from './bundle-server.ts'

const DOCUMENT = 'SPDXRef-DOCUMENT'
const SERVER = 'SPDXRef-usp-server'

const root = join(import.meta.dirname, '..')
const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

const folders = new Set([...(await bundleServer({ write: false })), ...installedWith('sharp')])
const contained = [...folders].map((folder, nth) => ({
  ...described(`SPDXRef-package-${nth + 1}`, { name: nameOf(folder), ...locked[folder] }),
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

/**
 * Returns the folders of a package that the bundle does not contain, and of all packages that it needs. npm installs them
 * beside the server. The list has the native packages of the container image, and none of other systems.
 */
function installedWith(name: string): string[] {
  const folder = `node_modules/${name}`
  const { os = ['linux'], cpu = ['x64'], libc = ['glibc'], ...needed } = locked[folder]
  const isInImage = os.includes('linux') && /^(x64|arm64)$/.test(cpu[0]) && libc.includes('glibc')
  if (!isInImage) return []
  const names = Object.keys({ ...needed.dependencies, ...needed.optionalDependencies })
  return [folder, ...names.flatMap(installedWith)]
}

function nameOf(folder: string): string {
  return folder.replace(/^.*node_modules\//, '')
}

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
