// One prepared statement, executed repeatedly on many connections, by a client of very little cost:
// the limit of the database.

import { SECOND } from '../src/core/time-units.ts'
import { answerParent } from './child.ts'
import { execution, openWire, preparation, type Wire } from './postgres-wire.ts'
import type { SqlReads } from './sql-load.ts'
import { sum } from './statistics.ts'

answerParent(async (reads: SqlReads): Promise<number> => {
  const messages = reads.values.map((values) => execution('read', values).message)
  const wires = await Promise.all(
    Array.from({ length: reads.connections }, async () => {
      const wire = await openWire(reads.databaseUrl)
      await wire.send(preparation('read', reads.text))
      return wire
    }),
  )
  const startedMs = performance.now()
  const counts = await Promise.all(
    wires.map((wire, i) => keepReading(wire, messages, i, startedMs + reads.ms)),
  )
  const tookMs = performance.now() - startedMs
  for (const wire of wires) wire.close()
  return (sum(counts) / tookMs) * SECOND
})

async function keepReading(
  wire: Wire,
  messages: readonly Buffer[],
  first: number,
  untilMs: number,
): Promise<number> {
  let read = 0
  for (let next = first * 7_919; performance.now() < untilMs; next += 1) {
    await wire.send(messages[next % messages.length] ?? Buffer.alloc(0))
    read += 1
  }
  return read
}
