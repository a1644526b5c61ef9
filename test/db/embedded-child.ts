// A process with an embedded server, driven by its input: a line makes it open, the end of input
// makes it stop. It reports the result in one line of JSON.

import { createInterface } from 'node:readline'
import { type EmbeddedServer, openEmbedded } from '../../src/db/embedded/index.ts'

const [dataDir = '', role] = process.argv.slice(2)
let server: EmbeddedServer | undefined

const lines = createInterface({ input: process.stdin })
lines.once('line', open)
lines.once('close', () => server?.stop())
process.stdout.write('armed\n')

async function open(): Promise<void> {
  try {
    server = await openEmbedded(dataDir, { role: role === 'guest' ? 'guest' : 'owner' })
    console.log(JSON.stringify({ url: server.url, owned: server.owned }))
  } catch (error) {
    console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
  }
}
