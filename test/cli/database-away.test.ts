// The message names a database that cannot be reached, whatever the driver says; it does not
// contain the password.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../chaos/gate.ts'
import { runCommand } from '../support/command.ts'

const LONG = { timeout: 60_000 }

/** Accepts connections and never answers, as behind a firewall that swallows packets. */
async function silentPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

it.each([
  ['says nothing', silentPort, 'timeout expired'],
  ['is not there', freePort, 'connect ECONNREFUSED'],
])('a database that %s is named by host and port', LONG, async (_, portOf, cause) => {
  const port = await portOf()
  const settings = { DATABASE_URL: `postgres://shop:not-for-logs@127.0.0.1:${port}/books` }
  const { status, out, err } = await runCommand(['doctor'], settings)
  expect(err).toContain(`the database books at 127.0.0.1:${port} cannot be reached: ${cause}`)
  expect(err).not.toContain('not-for-logs')
  expect({ status, out }).toEqual({ status: 1, out: '' })
})
