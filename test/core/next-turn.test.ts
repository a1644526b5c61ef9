// Work in parts, one part in each turn of the event loop.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { gather } from '../../src/core/gather.ts'
import { connectionAccepted, nextTurn } from '../../src/core/next-turn.ts'

const ANSWERS = 200

/** The number of turns of the event loop until the work is done. */
async function turnsOf(act: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await act()
  isDone = true
  return turns
}

it('the answers of a large round are returned over several turns, in their order', async () => {
  const ask = gather<number, number>(async (inputs) => inputs.map((one) => -one), {
    most: ANSWERS,
    atOnce: 1,
    isOnesFault: () => false,
  })
  const order: number[] = []
  const numbers = Array.from({ length: ANSWERS }, (_, n) => n)
  const turns = await turnsOf(() =>
    Promise.all(numbers.map((n) => ask(n).then((answer) => order.push(-answer)))),
  )
  expect(turns).toBeGreaterThan(5)
  expect(order).toEqual(numbers)
})

it('those of a small round come at once, as a control', async () => {
  const ask = gather<number, number>(async (inputs) => inputs, {
    most: ANSWERS,
    atOnce: 1,
    isOnesFault: () => false,
  })
  expect(await turnsOf(() => Promise.all([1, 2, 3].map(ask)))).toBeLessThanOrEqual(3)
})

it('no two parts begin in one turn', async () => {
  expect(await turnsOf(() => Promise.all([nextTurn(), nextTurn(), nextTurn(), nextTurn()]))).toBe(4)
})

it('connections that arrive together are accepted before the parts go on', async () => {
  const CALLERS = 60
  const accepted: number[] = []
  const server = createServer(() => {
    connectionAccepted()
    accepted.push(partsDone)
  })
  let partsDone = 0
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const callers = Array.from({ length: CALLERS }, () => connect(port, '127.0.0.1'))
  const connected = Promise.all(callers.map((caller) => once(caller, 'connect')))
  for (; accepted.length < CALLERS; partsDone += 1) await nextTurn()
  await connected
  // One connection a turn would have let as many parts run as there are callers.
  expect(partsDone).toBeLessThan(CALLERS / 4)
  for (const caller of callers) caller.destroy()
  await once(server.close(), 'close')
})
