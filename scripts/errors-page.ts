import {
  type BusinessRefusalCode,
  errors,
  type ProtocolCode,
  problemType,
  protocolCodes,
  refusalCodes,
} from '../src/protocol/errors.ts'
import { wireCodesOf } from '../src/protocol/http-and-rpc-error-codes.ts'
import { errorTexts } from './error-texts.ts'

const isPlain = (code: ProtocolCode) => problemType(code) === 'about:blank'

/** The page docs/errors.md: a table of all error codes. */
export const errorsPage = () => `# Error codes

Programs should use the error code to decide what to do. This page lists all ${Object.keys(errors).length} codes. The command \`npm run generate\`
writes this page from the table in \`src/protocol/errors.ts\`. Each code belongs to exactly one of three families:

| family | answer on REST | answer on MCP |
|---|---|---|
| business refusal | HTTP 200 with \`messages[]\`. One message has the type \`error\` and the code. | a result with the same \`messages[]\` |
| protocol error | a problem document (RFC 9457) with the code in \`code\`, and a \`type\` of the protocol | a JSON-RPC error with the code in \`data.code\` |
| HTTP error | a problem document with the code in \`code\`, and the \`type\` \`about:blank\` | a JSON-RPC error with the code in \`data.code\` |

## Business refusals

A rule of the business forbids the call. A business refusal has no problem type.

| code | severity | meaning | what to do |
|---|---|---|---|
${refusalCodes.map(refusalRow).join('\n')}

## Protocol errors

The server cannot process the call. The problem type is \`https://usp-protocol.dev/errors/\`, followed by the value in the
column "type".

| code | HTTP | type | JSON-RPC | meaning | what to do |
|---|---|---|---|---|---|
${protocolCodes
  .filter((code) => !isPlain(code))
  .map(errorRow)
  .join('\n')}

## HTTP errors

The HTTP status says everything, so the protocol does not define these codes. \`title\` is the name of the HTTP status.

| code | HTTP | type | JSON-RPC | meaning | what to do |
|---|---|---|---|---|---|
${protocolCodes.filter(isPlain).map(errorRow).join('\n')}

An unknown MCP tool gives the JSON-RPC error -32602 without \`data.code\`.

## Universal Commerce Protocol

Some errors have another HTTP status or JSON-RPC number if the call belongs to the Universal Commerce Protocol (UCP), such as a
call of a checkout:

| code | HTTP | JSON-RPC |
|---|---|---|
${protocolCodes.filter(differsInUcp).map(ucpRow).join('\n')}
`

const refusalRow = (code: BusinessRefusalCode) => {
  const { meaning, action } = errorTexts[code]
  return `| \`${code}\` | \`${errors[code].severity}\` | ${meaning} | ${action} |`
}

const errorRow = (code: ProtocolCode) => {
  const { http, rpc } = errors[code]
  const { meaning, action } = errorTexts[code]
  return `| \`${code}\` | ${http} | \`${problemType(code).split('/errors/').at(-1)}\` | ${rpc} | ${meaning} | ${action} |`
}

function differsInUcp(code: ProtocolCode): boolean {
  const { http, rpc } = wireCodesOf(code, 'ucp')
  return http !== errors[code].http || rpc !== errors[code].rpc
}

const ucpRow = (code: ProtocolCode) => {
  const { http, rpc } = wireCodesOf(code, 'ucp')
  return `| \`${code}\` | ${http} | ${rpc} |`
}
