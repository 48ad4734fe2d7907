import type { FastifyInstance } from 'fastify'
import { UCP_REST_BASE } from '../../protocol/paths.ts'
import { type RestDependencies, restBinding } from '../rest/rest.ts'

/**
 * Serves the checkout of UCP over REST. The operations of UCP have the same checks as those of USP, and other paths and
 * answers.
 */
export const serveUcp = (scope: FastifyInstance, dependencies: RestDependencies): void =>
  restBinding(scope, dependencies, UCP_REST_BASE)
