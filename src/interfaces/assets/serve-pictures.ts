import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { PICTURES_PATH, pictureNamedBy, picturePath } from '../../domain/pictures/picture-addresses.ts'
import { pictureFile, type StoredFile } from '../../domain/pictures/picture-queries.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { type CountingDependencies, countAddress } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isEtagMatch } from '../http/fixed-response.ts'
import { type Guard, guarded, refuseOtherMethods } from '../http/route-guards.ts'

/** The path of a picture names its content. Therefore the content at a path never changes. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable'

const MAX_CACHED_BYTES = 16 * 1024 * 1024

/**
 * Serves the pictures that the staff uploaded. Each process keeps the last pictures in memory. Only requests for other
 * pictures count against the rate limit, because only these requests need the database.
 */
export function servePictures(
  scope: FastifyInstance,
  dependencies: CountingDependencies & Dependencies<'readAtStandby'>,
) {
  const cached = new LRUCache<string, StoredFile>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ content }) => content.length,
    fetchMethod: async (path) => {
      const named = pictureNamedBy(path)
      return named && dependencies.readAtStandby((db) => pictureFile(db, named.digest, named.isSmall))
    },
  })
  const countedUnlessCached: Guard = {
    name: 'counted as picture, unless it is in memory',
    async pass({ ip, params }, reply) {
      if (!cached.has(pathOf(params))) reply.headers(await countAddress(dependencies, 'picture', ip))
    },
  }
  const route = `${PICTURES_PATH}:name`
  scope.get(route, guarded('picture', countedUnlessCached), async ({ headers, params }, reply) => {
    const path = pathOf(params)
    const picture = picturePath(path) === path ? await cached.fetch(path) : undefined
    if (!picture) throw new ProtocolError('not_found', 'There is no such picture.')
    const etag = `"${path.slice(PICTURES_PATH.length)}"`
    reply.headers({ 'cache-control': CACHE_FOREVER, etag })
    if (isEtagMatch(headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(picture.type).send(picture.content)
  })
  refuseOtherMethods(scope, route, ['GET'])
}

const pathOf = (params: unknown): string => PICTURES_PATH + String(asRecord(params).name)
