// Mistakes in a call of our own TypeScript client: it refuses them before anything is sent. There is
// no service, only a fetch that keeps what it gets.

import { expect, it } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'

const PAGE = { data: [], total: 0, last_page: 1 }

interface Sent {
  readonly path: string
  readonly body: unknown
}

/** A client of plain JavaScript, which no compiler checks, and all that it has sent. */
function openClient() {
  const sent: Sent[] = []
  const client = createClient({
    url: 'http://service.test',
    key: 'sk_sandbox_none',
    async fetch(url, init) {
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
      sent.push({ path: String(url).replace('http://service.test', ''), body })
      return Response.json(PAGE)
    },
  })
  type Method = (...args: unknown[]) => Promise<unknown>
  return { client: client as unknown as Readonly<Record<string, Method>>, sent }
}

it.each([undefined, null, [], [undefined], ['tea', null]])(
  'a filter that would send nothing is refused: %j',
  async (customer_id) => {
    const { client, sent } = openClient()
    const query = { status: 'SUCCESS', customer_id }
    const says = new TypeError(
      'listTransactions got no value for customer_id: leave it out, or give a value.',
    )
    await expect(client.listTransactions?.(query)).rejects.toThrow(says)
    await expect(client.csv?.('listTransactions', query)).rejects.toThrow(says)
    await expect(walk(client.each?.('listTransactions', query))).rejects.toThrow(says)
    expect(sent).toEqual([])
  },
)

it('an empty text is passed on, so that the API refuses an empty id', async () => {
  const { client, sent } = openClient()
  const query = { customer_id: '' }
  await client.listTransactions?.(query)
  await client.csv?.('listTransactions', query)
  await walk(client.each?.('listTransactions', query))
  expect(sent.map(({ path }) => path)).toEqual([
    '/transaction?customer_id=',
    '/transaction?customer_id=&export=csv',
    '/transaction?limit=200&customer_id=&page=1',
  ])
})

async function walk(rows: unknown): Promise<void> {
  for await (const _ of rows as AsyncIterable<unknown>);
}
