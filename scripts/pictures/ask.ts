/** Sends a request to the API and returns its answer; a decline is an answer too. */
export type Ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: the story reads answers as a client without types does
) => Promise<any>

export function context(origin: string, key: string): Ask {
  return async (method, path, body) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const said = await answer.json()
    if (!answer.ok && said.status !== 'FAILED') {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(said)}`)
    }
    return said
  }
}
