import type { TextAdapterName } from '../../infra/config/text-provider.ts'
import { bird } from './bird.ts'
import { httpGateway } from './http-gateway.ts'
import type { TextAdapter } from './text-adapter.ts'
import { twilio } from './twilio.ts'

export const textAdapters: Record<TextAdapterName, TextAdapter> = { twilio, bird, http: httpGateway }
