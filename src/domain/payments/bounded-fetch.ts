/** Maximum bytes of a provider's response. Its longest list, a hundred refunds, has a few hundred thousand. */
const MOST_BYTES = 1024 * 1024

/**
 * `fetch` for the provider's library, which limits neither the length of a response nor the time to read it. The whole
 * response is read here, so the library's timeout covers it.
 */
export async function boundedFetch(address: string | URL | Request, request?: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...request, redirect: 'manual' })
  const { status, headers, body } = response
  return new Response(body && Buffer.concat(await piecesOf(body)), { status, headers })
}

async function piecesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    // Leaving the loop cancels the request.
    if (length > MOST_BYTES) throw new Error(`The payment provider answered with more than ${MOST_BYTES} bytes.`)
    pieces.push(piece)
  }
  return pieces
}
