import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addPicture } from '../../domain/desk/setup/add-picture.ts'
import { MAX_UPLOAD_BYTES } from '../../domain/pictures/picture-formats.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { guardedBeforeBody, rateLimited } from '../http/route-guards.ts'
import { forbidden } from '../pages/error-pages.ts'
import { isForeign } from '../pages/page-route-setup.ts'
import { readMultipartForm } from '../pages/read-multipart-form.ts'
import { type DeskDependencies, isAllowed, missingRolePage } from './call-operation-as-staff.ts'
import { sendDesk } from './desk-page.ts'
import { signInPage } from './sign-in-pages.ts'
import { findSignedInStaff } from './staff-browser-session.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    takesPicture?: true
  }
}

/** The fields beside the picture are short. */
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 16 * 1024
/** The smallest network packets carry about 500 bytes. An honest client needs at most half of this number of pieces. */
const LEAST_BYTES_IN_PIECE = 256

/** Lets the routes of `pictureUploadRoute` accept forms with a file. All other routes of the scope refuse such forms. */
export function acceptPictureUploads(scope: FastifyInstance) {
  scope.addHook('preParsing', (request, _, payload, done) => {
    const isUpload = /^\s*multipart\//i.test(request.headers['content-type'] ?? '')
    if (!isUpload || request.routeOptions.config.takesPicture) return done(null, payload)
    done(new ProtocolError('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.'))
  })
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES },
    async ({ headers }: FastifyRequest, body: Buffer) => readMultipartForm(body, headers['content-type'] ?? ''),
  )
}

/**
 * Returns the options of a route that accepts a picture. The server first checks that a staff member is signed in, and
 * that the role allows the upload. Only then does it read the large body.
 */
export function pictureUploadRoute(dependencies: DeskDependencies) {
  const { config, ...hooks } = guardedBeforeBody('page', rateLimited(dependencies, 'page'), {
    name: 'a staff member who may add a picture',
    pass: (request, reply) => refuseOthers(request, reply, dependencies),
  })
  const mostBodyPieces = Math.ceil(MAX_FORM_BYTES / LEAST_BYTES_IN_PIECE)
  return { ...hooks, config: { ...config, takesPicture: true as const, mostBodyPieces } }
}

/** The parameter of the address to which the server redirects after a body that is too large. */
export const TOO_LARGE = 'large'

async function refuseOthers(request: FastifyRequest, reply: FastifyReply, dependencies: DeskDependencies) {
  if (isForeign(request, dependencies.config)) return sendDesk(reply, forbidden(request.localizer), dependencies)
  const who = await findSignedInStaff(request, dependencies)
  if (!who) return sendDesk(reply, await signInPage(request, dependencies), dependencies)
  if (!isAllowed(who, addPicture)) return sendDesk(reply, missingRolePage(addPicture, { who, request }), dependencies)
  const [path] = request.url.split('?')
  if (Number(request.headers['content-length']) > MAX_FORM_BYTES)
    return sendDesk(reply, { to: `${path}?${TOO_LARGE}` }, dependencies)
}
