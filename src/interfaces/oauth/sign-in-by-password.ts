import type { FastifyReply, FastifyRequest } from 'fastify'
import { signIn } from '../../domain/accounts/sign-in.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { startSession } from '../my-bookings/session.ts'
import { formOf } from '../pages/scope.ts'
import type { Mistake } from './sign-in-form.ts'

/** Signs in with the password in the form. Returns the mistake to show on the form, if any. */
export async function signInByPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  means: Dependencies<'db' | 'clock' | 'business' | 'limits' | 'config'>,
): Promise<Mistake | undefined> {
  const form = formOf(request)
  const entry = await signIn(form, request.ip, means)
  if ('note' in entry) return { note: entry.note, email: form.get('email') ?? '' }
  await startSession(entry.session, request, reply, means)
  return undefined
}
